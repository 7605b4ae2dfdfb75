import type { QueryClient } from '@tanstack/react-query'

/** A request as data: a loader prefetches it, a component reads it with `useQuery`. */
export interface QuerySpec<T> {
  /** Identifies the reply in the cache: area, call, parameters. */
  readonly queryKey: readonly unknown[]
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<T>
  /** Milliseconds for which the reply counts as fresh. */
  readonly staleTime?: number
}

/**
 * The query cache, whose library is not part of sign-in and loads with the first page that needs a user. A prefetch sends its
 * request at once, without waiting for that code.
 */
export interface Queries {
  /** Starts a query before the page renders. The page shows failures. */
  prefetch<T>(spec: QuerySpec<T>): void
  client(): Promise<QueryClient>
  clear(): void
}

export function createQueries(load: () => Promise<QueryClient>): Queries {
  let loading: Promise<QueryClient> | undefined
  let loaded: QueryClient | undefined
  const client = () => {
    loading ??= load().then(
      (made) => (loaded = made),
      (reason: unknown) => {
        loading = undefined
        throw reason
      },
    )
    return loading
  }
  return {
    client,
    clear: () => loaded?.clear(),
    prefetch<T>(spec: QuerySpec<T>) {
      if (loaded !== undefined) {
        void loaded.prefetchQuery(spec)
        return
      }
      const early = spec.queryFn({ signal: new AbortController().signal })
      // The cache takes over the rejection; until then it must not count as unhandled.
      early.catch(() => undefined)
      client().then(
        (ready) => ready.prefetchQuery({ ...spec, queryFn: () => early }),
        () => undefined,
      )
    },
  }
}
