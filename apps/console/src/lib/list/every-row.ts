/** Rows per call and calls at most: a thousand rows, which is also as many as can be selected. */
const SIZE = 100
const CALLS = 10

interface RowsPage<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

/** The rows of all pages of a list, up to a thousand. Rejects when a page cannot be loaded. */
export async function everyRow<Row>(
  load: (page: { readonly p: number; readonly size: typeof SIZE }) => Promise<RowsPage<Row>>,
): Promise<readonly Row[]> {
  const found: Row[] = []
  for (let p = 0; p < CALLS; p++) {
    const { rows, total } = await load({ p, size: SIZE })
    found.push(...rows)
    if (rows.length === 0 || found.length >= total) break
  }
  return found
}
