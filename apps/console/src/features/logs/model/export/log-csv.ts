import type { Log } from '@sluice/contract/log'
import { type CsvCell, csvText } from '~/lib/format/csv.ts'
import { formatDateTime, formatLocalDay } from '~/lib/format/date.ts'
import { pointsOf } from '~/lib/format/quota.ts'

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
