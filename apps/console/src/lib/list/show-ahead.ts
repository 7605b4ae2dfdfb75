import type { QueryClient } from '@tanstack/react-query'
import { type ListPage, listsOf } from './list-query.ts'

/**
 * Shows a change of one row in every cached list of its area before the gateway has confirmed it. The returned function reverts the
 * change; changes to other rows in the meantime stay.
 */
export async function showAhead<Row extends { readonly id: number }>(
  cache: QueryClient,
  area: string,
  { id }: Row,
  changed: (row: Row) => Row,
): Promise<() => void> {
  const queryKey = listsOf(area)
  const put = (next: typeof changed) =>
    cache.setQueriesData<ListPage<Row>>(
      { queryKey },
      (page) => page && { ...page, rows: page.rows.map((row) => (row.id === id ? next(row) : row)) },
    )
  // A reply that is on its way was given before the change, and would hide it.
  await cache.cancelQueries({ queryKey })
  const before = cache
    .getQueriesData<ListPage<Row>>({ queryKey })
    .flatMap(([, page]) => page?.rows ?? [])
    .find((row) => row.id === id)
  put(changed)
  return () => {
    if (before !== undefined) put(() => before)
  }
}
