import type { TraceRow } from '../operation.ts'
import type { LogCorrection, LogRow, UsageRow } from '../rules/rows.ts'
import { encodeUnits, outputUnits, promptUnits } from '../unit-class.ts'
import { type Columns, writtenTable } from './written-table.ts'

/** The columns by which a late settlement finds the row of its request; the first one is indexed. */
const LOG_KEY: Columns<LogCorrection> = {
  created_at: ['safe', (row) => row.createdAt],
  request_id: ['text', (row) => row.requestId],
}
/** What a late settlement changes in that row. */
const LOG_CORRECTED: Columns<LogCorrection> = {
  amount: ['int8', (row) => row.amount],
  prompt_tokens: ['safe', promptTokens],
  completion_tokens: ['safe', completionTokens],
  cached_prompt_tokens: ['safe', (row) => row.tokens.cachedInput],
  cache_write_5m_tokens: ['safe', (row) => row.tokens.cacheWrite5m],
  cache_write_1h_tokens: ['safe', (row) => row.tokens.cacheWrite1h],
  reasoning_tokens: ['safe', (row) => row.tokens.reasoning],
  units: ['text', (row) => encodeUnits(row.tokens.units)],
  elapsed_ms: ['safe', (row) => row.elapsedMs],
  estimated: ['int', (row) => (row.estimated ? 1 : 0)],
  ended: ['text', (row) => row.ended],
  content: ['text', (row) => row.content],
  saved: ['int8', (row) => row.saved],
}
export const LOG_CORRECTION = writtenTable<LogCorrection>('log', { ...LOG_CORRECTED, ...LOG_KEY })
export const LOG_KEY_COLUMNS = Object.keys(LOG_KEY)
export const LOG_CORRECTED_COLUMNS = Object.keys(LOG_CORRECTED)

export const LOG = writtenTable<LogRow>('log', {
  ...LOG_KEY,
  ...LOG_CORRECTED,
  type: ['int', (row) => row.type],
  user_id: ['int', (row) => row.userId],
  username: ['text', (row) => row.username],
  token_id: ['int', (row) => row.tokenId],
  token_name: ['text', (row) => row.tokenName],
  model_name: ['text', (row) => row.model],
  origin_model_name: ['text', (row) => row.originModel],
  channel_id: ['int', (row) => row.channelId],
  channel_name: ['text', (row) => row.channelName],
  is_stream: ['int', (row) => (row.isStream ? 1 : 0)],
  session: ['text', (row) => row.session],
  client: ['text', (row) => row.client],
})

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
/** What is added up in the row of a key. */
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

/** All input classes together. */
function promptTokens({ tokens }: Pick<LogRow, 'tokens'>): number {
  return tokens.input + tokens.cachedInput + tokens.cacheWrite5m + tokens.cacheWrite1h + promptUnits(tokens.units)
}

/** All output classes together. */
function completionTokens({ tokens }: Pick<LogRow, 'tokens'>): number {
  return tokens.output + outputUnits(tokens.units)
}
