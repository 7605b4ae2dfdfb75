import { QueryClient } from '@tanstack/react-query'

/**
 * In milliseconds: long enough for a prefetch to serve the visit that follows, too short for users to come back and miss what they
 * have just done.
 */
const FRESH_MS = 1_500

/** Nothing is retried behind the visitor's back, or refetched because a window gained focus. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: FRESH_MS, retry: false, refetchOnWindowFocus: false },
      // Without a network, mutations fail at once instead of being sent later, when nobody expects it.
      mutations: { networkMode: 'always' },
    },
  })
}
