import type { Log } from '@sluice/contract/log'
import { type CsvCell, csvText } from '~/lib/format/csv.ts'
import { formatDateTime, formatLocalDay } from '~/lib/format/date.ts'
import { pointsOf } from '~/lib/format/quota.ts'
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

/** Names and order follow the specification; they stay English in every language, for the programs that read them. */
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

/** A file of log rows; the first line names the columns. Times are in the browser's zone, latencies in milliseconds. */
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
