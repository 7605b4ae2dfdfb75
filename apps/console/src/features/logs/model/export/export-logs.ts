import { CHARGES_CSV_CLASSES, CHARGES_CSV_COLUMNS } from '@sluice/contract/charges-csv'
import type { Log } from '@sluice/contract/log'
import { CHARGE_CLASSES, type ExportedCharge, type ChargedPrice, type PriceBook } from '@sluice/contract/receipt'
import { type CsvCell, csvText } from '~/lib/format/csv.ts'
import { formatDateTime, formatLocalDay } from '~/lib/format/date.ts'
import { pointsOf } from '~/lib/format/quota.ts'
import type { Failure } from '~/lib/http/call.ts'

/** Rows per call of an export; the most that the gateway returns at once. */
export const EXPORT_PAGE_SIZE = 100 as const
/** Maximum number of rows in an export; the gateway does not count beyond it either. */
export const EXPORT_ROWS_MAX = 100_000

export interface ExportProgress {
  readonly done: number
  readonly total: number
}

interface Page<Row> {
  readonly ok: true
  readonly data: readonly Row[]
  /** Number of matching log rows; each stands for one or more movements of money. */
  readonly total: number
}

interface Collected {
  readonly ok: true
  readonly rows: readonly Log[]
}

/**
 * Page by page and without duplicates, even when rows move between pages. Ends at the first page that is not full or that failed.
 */
export async function collectLogs(
  fetchPage: (p: number) => Promise<Page<Log> | Failure>,
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

/** Names and order follow the specification; they stay English in every language, for the programs that read the file. */
const CSV_COLUMNS = [
  'Time',
  'Type',
  'Model',
  'Token',
  'Username',
  'Quota',
  'Prompt Tokens',
  'Completion Tokens',
  'Cached Prompt Tokens',
  'Cached Completion Tokens',
  'Cache Write 5m Tokens',
  'Cache Write 1h Tokens',
  'Latency',
  'Content',
] as const

/** The first line names the columns. Times are in the browser's zone, latencies in milliseconds. */
export function logCsv(rows: readonly Log[], typeName: (type: number) => string): string {
  return csvText([CSV_COLUMNS, ...rows.map((row) => logCells(row, typeName))])
}

function logCells(row: Log, typeName: (type: number) => string): readonly CsvCell[] {
  const written = row.metadata.cache_write_tokens
  return [
    formatDateTime(row.created_at),
    typeName(row.type),
    row.model_name,
    row.token_name,
    row.username,
    pointsOf(row.quota, row.quota_exact),
    row.prompt_tokens,
    row.completion_tokens,
    row.cached_prompt_tokens,
    row.cached_completion_tokens,
    written?.ephemeral_5m ?? 0,
    written?.ephemeral_1h ?? 0,
    row.elapsed_time,
    row.content,
  ]
}

/** `logs_2026-11-20.csv`, by the browser's day. */
export function csvFileName(now: Date): string {
  return `logs_${formatLocalDay(now)}.csv`
}

const OTHER_CLASSES = CHARGE_CLASSES.filter((name) => !CHARGES_CSV_CLASSES.some((known) => known === name))

/** A file that `sluice ledger recompute` can recompute: one row per movement of money. */
export function chargesCsv(charges: readonly ExportedCharge[]): string {
  return csvText([CHARGES_CSV_COLUMNS, ...charges.map(chargeCells)])
}

function chargeCells(charge: ExportedCharge): readonly CsvCell[] {
  return [
    charge.request_id,
    new Date(charge.at).toISOString(),
    charge.kind,
    charge.username,
    charge.token_name,
    charge.model_name,
    ...CHARGES_CSV_CLASSES.map((name) => charge.units[name] ?? 0),
    otherUnits(charge.units),
    charge.price_id,
    charge.amount,
  ]
}

function otherUnits(units: ExportedCharge['units']): string {
  return OTHER_CLASSES.flatMap((name) => {
    const count = units[name]
    return count === undefined ? [] : [`${name}=${count}`]
  }).join(' ')
}

/** `charges_2026-11-20.csv` and `prices_2026-11-20.json`, by the browser's day. */
export function chargeFileNames(now: Date): { readonly charges: string; readonly prices: string } {
  const day = formatLocalDay(now)
  return { charges: `charges_${day}.csv`, prices: `prices_${day}.json` }
}

interface ChargePage extends Page<ExportedCharge> {
  readonly extra: { readonly book: PriceBook }
}

export interface CollectedCharges {
  readonly ok: true
  readonly charges: readonly ExportedCharge[]
  readonly book: PriceBook
  /** Log rows beyond `EXPORT_ROWS_MAX`, which were left out. */
  readonly leftOut: number
}

/**
 * Page by page, each request once, even when rows move between pages. Includes the prices that the movements refer to. Ends after
 * the last row or at the first page that failed.
 */
export async function collectCharges(
  fetchPage: (p: number) => Promise<ChargePage | Failure>,
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
