import { LOG_COLUMNS, type LogColumn } from '@sluice/contract/fields/log'
import type { TraceRow } from '../operation.ts'
import type { LogCorrection, LogRow, UsageRow } from '../rules/rows.ts'
import { type Columns, writtenTable } from './written-table.ts'

/** The columns by which a late settlement finds its request's row; the first one is indexed. */
export const LOG_KEY_COLUMNS: readonly string[] = ['created_at', 'request_id']
const CORRECTED = LOG_COLUMNS.filter(({ corrected }) => corrected)
export const LOG_CORRECTED_COLUMNS: readonly string[] = CORRECTED.map(({ column }) => column)

const KEY = LOG_COLUMNS.filter(({ column }) => LOG_KEY_COLUMNS.includes(column))
export const LOG_CORRECTION = writtenTable<LogCorrection>('log', columnsOf([...CORRECTED, ...KEY]))
export const LOG = writtenTable<LogRow>('log', columnsOf(LOG_COLUMNS))

function columnsOf(columns: readonly LogColumn[]): Columns<Partial<LogRow>> {
  return Object.fromEntries(columns.map((each) => [each.column, [each.type, valueOf(each)]])) as Columns<
    Partial<LogRow>
  >
}

function valueOf({ property, kind }: LogColumn): (row: Partial<LogRow>) => unknown {
  return kind === 'flag' ? (row) => (row[property] === true ? 1 : 0) : (row) => row[property]
}

export const TRACE = writtenTable<TraceRow>('trace', {
  request_id: ['text', (row) => row.requestId],
  user_id: ['int', (row) => row.userId],
  url: ['text', (row) => row.url],
  method: ['text', (row) => row.method],
  status: ['int', (row) => row.status],
  body_size: ['safe', (row) => row.bodySize],
  received_ms: ['safe', (row) => row.received],
  forwarded_ms: ['safe', (row) => row.forwarded],
  first_upstream_ms: ['safe', (row) => row.firstUpstream],
  first_client_ms: ['safe', (row) => row.firstClient],
  upstream_completed_ms: ['safe', (row) => row.upstreamCompleted],
  completed_ms: ['safe', (row) => row.completed],
  attempts: ['text', (row) => row.attempts],
  held: ['int8', (row) => row.held],
  upstream_usage: ['text', (row) => row.upstreamUsage],
  routing: ['text', (row) => row.routing],
})

/** Ends an insertion into `trace`, in both dialects: the last trace of a request counts. */
export const REPLACE_TRACE = `on conflict (request_id) do update set ${TRACE.columns.map((column) => `${column} = excluded.${column}`).join(', ')}`

const USAGE_KEY: Columns<UsageRow> = {
  day: ['int', (row) => row.day],
  user_id: ['int', (row) => row.userId],
  token_id: ['int', (row) => row.tokenId],
  channel_id: ['int', (row) => row.channelId],
  model: ['text', (row) => row.model],
}
const USAGE_SUMS: Columns<UsageRow> = {
  requests: ['safe', (row) => row.requests],
  prompt_tokens: ['safe', (row) => row.promptTokens],
  completion_tokens: ['safe', (row) => row.completionTokens],
  amount: ['int8', (row) => row.amount],
}
export const USAGE = writtenTable<UsageRow>('usage_daily', { ...USAGE_KEY, ...USAGE_SUMS })
const sums = Object.keys(USAGE_SUMS).map((column) => `${column} = usage_daily.${column} + excluded.${column}`)
/** Ends an insertion into `usage_daily`, in both dialects. */
export const ADD_TO_USAGE = `on conflict (${Object.keys(USAGE_KEY).join(', ')}) do update set ${sums.join(', ')}`
