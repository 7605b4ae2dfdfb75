import { QueryClient } from '@tanstack/react-query'

/**
 * How long an answer counts as fresh, in milliseconds: long enough for a prefetch to serve the visit that follows, too short for
 * anybody to come back and miss what they have just done.
 */
const FRESH_MS = 1_500

/** The cache of answers. Nothing is retried behind the visitor's back and nothing reloads because a window got focus. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: { queries: { staleTime: FRESH_MS, retry: false, refetchOnWindowFocus: false } },
  })
}
