import type { Log } from '@sluice/contract/log'

/** Rows per call of an export; the most that the gateway answers at once. */
export const EXPORT_PAGE_SIZE = 100 as const
/** An export ends here; the gateway counts no further either. */
export const EXPORT_ROWS_MAX = 100_000

export interface ExportPage {
  readonly rows: readonly Log[]
  readonly total: number
}

export interface ExportProgress {
  readonly done: number
  readonly total: number
}

/**
 * Every row under the filters, page after page, each once even when rows move between the pages meanwhile. Ends at the
 * first page that is not full; rejects with whatever `fetchPage` rejects with.
 */
export async function collectLogs(
  fetchPage: (p: number) => Promise<ExportPage>,
  onProgress: (progress: ExportProgress) => void,
): Promise<readonly Log[]> {
  const rows = new Map<number, Log>()
  for (let p = 0; p * EXPORT_PAGE_SIZE < EXPORT_ROWS_MAX; p += 1) {
    // oxlint-disable-next-line no-await-in-loop -- in order, and never more than one call at a time
    const page = await fetchPage(p)
    for (const row of page.rows) rows.set(row.id, row)
    onProgress({ done: rows.size, total: Math.max(page.total, rows.size) })
    if (page.rows.length < EXPORT_PAGE_SIZE) break
  }
  return [...rows.values()]
}
