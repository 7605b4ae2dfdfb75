import { QueryClient } from '@tanstack/react-query'

/** How long an answer counts as fresh, in milliseconds: long enough for a prefetch to serve the visit that follows. */
const FRESH_MS = 5_000

/** The cache of answers. Nothing is retried behind the visitor's back and nothing reloads because a window got focus. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: { queries: { staleTime: FRESH_MS, retry: false, refetchOnWindowFocus: false } },
  })
}
