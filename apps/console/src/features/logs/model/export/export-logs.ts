import type { Log } from '@sluice/contract/log'
import type { Failure } from '~/lib/http/call.ts'

/** Rows per call of an export; the most that the gateway returns at once. */
export const EXPORT_PAGE_SIZE = 100 as const
/** An export ends here; the gateway does not count further either. */
export const EXPORT_ROWS_MAX = 100_000

export interface ExportProgress {
  readonly done: number
  readonly total: number
}

interface Page {
  readonly ok: true
  readonly data: readonly Log[]
  /** Number of rows that match. */
  readonly total: number
}

interface Collected {
  readonly ok: true
  readonly rows: readonly Log[]
}

/**
 * Every row under the filters, page after page, each once even when rows move between pages meanwhile. Ends at the first page that
 * is not full, or at the first page that failed.
 */
export async function collectLogs(
  fetchPage: (p: number) => Promise<Page | Failure>,
  onProgress: (progress: ExportProgress) => void,
): Promise<Collected | Failure> {
  const rows = new Map<number, Log>()
  for (let p = 0; p * EXPORT_PAGE_SIZE < EXPORT_ROWS_MAX; p += 1) {
    // oxlint-disable-next-line no-await-in-loop -- in order, and never more than one call at a time
    const page = await fetchPage(p)
    if (!page.ok) return page
    for (const row of page.data) rows.set(row.id, row)
    onProgress({ done: rows.size, total: Math.max(page.total, rows.size) })
    if (page.data.length < EXPORT_PAGE_SIZE) break
  }
  return { ok: true, rows: [...rows.values()] }
}
