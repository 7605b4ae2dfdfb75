import type { QuerySpec } from '../query/queries.ts'
import type { ListPage } from './list-query.ts'

/** Rows per call and maximum number of calls: a thousand rows, which is also the maximum that can be selected. */
const SIZE = 100
const CALLS = 10

/** The rows of all pages of a list, up to a thousand. Rejects when a page cannot be loaded, and when the signal aborts. */
export async function everyRow<Row>(
  queryOf: (page: { readonly p: number; readonly size: typeof SIZE }) => QuerySpec<ListPage<Row>>,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const found: Row[] = []
  for (let p = 0; p < CALLS; p++) {
    signal.throwIfAborted()
    const { rows, total } = await queryOf({ p, size: SIZE }).queryFn({ signal })
    found.push(...rows)
    if (rows.length === 0 || found.length >= total) break
  }
  signal.throwIfAborted()
  return found
}
