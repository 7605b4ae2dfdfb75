import type { ChargedPrice, ExportedCharge, PriceBook } from '@sluice/contract/receipt'
import type { Failure } from '~/lib/http/call.ts'
import { EXPORT_PAGE_SIZE, EXPORT_ROWS_MAX, type ExportProgress } from './export-logs.ts'

interface Page {
  readonly ok: true
  readonly data: readonly ExportedCharge[]
  /** Number of log rows that match; each stands for one movement or more. */
  readonly total: number
  readonly extra: { readonly book: PriceBook }
}

export interface CollectedCharges {
  readonly ok: true
  readonly charges: readonly ExportedCharge[]
  readonly book: PriceBook
  /** Log rows that were left out, because an export ends at `EXPORT_ROWS_MAX`. */
  readonly leftOut: number
}

/**
 * Every movement behind the rows under the filters with the prices they refer to, page after page, each request once even when rows
 * move between pages meanwhile. Ends after the last row, or at the first page that failed.
 */
export async function collectCharges(
  fetchPage: (p: number) => Promise<Page | Failure>,
  onProgress: (progress: ExportProgress) => void,
): Promise<CollectedCharges | Failure> {
  const requests = new Map<string, readonly ExportedCharge[]>()
  const prices = new Map<number, ChargedPrice>()
  let leftOut = 0
  for (let p = 0; p * EXPORT_PAGE_SIZE < EXPORT_ROWS_MAX; p += 1) {
    // oxlint-disable-next-line no-await-in-loop -- in order, and never more than one call at a time
    const page = await fetchPage(p)
    if (!page.ok) return page
    for (const [id, movements] of Map.groupBy(page.data, ({ request_id }) => request_id)) requests.set(id, movements)
    for (const price of page.extra.book.prices) prices.set(price.id, price)
    const done = Math.min(page.total, (p + 1) * EXPORT_PAGE_SIZE)
    onProgress({ done, total: page.total })
    leftOut = page.total - done
    if (leftOut === 0) break
  }
  const book = { format: 'sluice-price-book-1', prices: [...prices.values()].sort((a, b) => a.id - b.id) } as const
  return { ok: true, charges: [...requests.values()].flat(), book, leftOut }
}
