import type { TraceRow } from '../operation.ts'
import type { LogCorrection, LogRow, UsageRow } from '../rules/rows.ts'
import { encodeUnits, outputUnits, promptUnits } from '../unit-class.ts'
import type { WrittenTable } from './written-table.ts'

export const LOG: WrittenTable<LogRow> = {
  name: 'log',
  columns: {
    created_at: 'safe',
    type: 'int',
    user_id: 'int',
    username: 'text',
    token_id: 'int',
    token_name: 'text',
    model_name: 'text',
    origin_model_name: 'text',
    channel_id: 'int',
    channel_name: 'text',
    amount: 'int8',
    prompt_tokens: 'safe',
    completion_tokens: 'safe',
    cached_prompt_tokens: 'safe',
    cache_write_5m_tokens: 'safe',
    cache_write_1h_tokens: 'safe',
    reasoning_tokens: 'safe',
    units: 'text',
    request_id: 'text',
    elapsed_ms: 'safe',
    is_stream: 'int',
    estimated: 'int',
    ended: 'text',
    content: 'text',
  },
  values: (row) => [
    row.createdAt,
    row.type,
    row.userId,
    row.username,
    row.tokenId,
    row.tokenName,
    row.model,
    row.originModel,
    row.channelId,
    row.channelName,
    row.amount,
    promptTokens(row),
    completionTokens(row),
    row.tokens.cachedInput,
    row.tokens.cacheWrite5m,
    row.tokens.cacheWrite1h,
    row.tokens.reasoning,
    encodeUnits(row.tokens.units),
    row.requestId,
    row.elapsedMs,
    row.isStream ? 1 : 0,
    row.estimated ? 1 : 0,
    row.ended,
    row.content,
  ],
}

/** The columns of `log` that a late settlement changes, with its key last. */
export const LOG_CORRECTION: WrittenTable<LogCorrection> = {
  name: 'log',
  columns: {
    amount: 'int8',
    prompt_tokens: 'safe',
    completion_tokens: 'safe',
    cached_prompt_tokens: 'safe',
    cache_write_5m_tokens: 'safe',
    cache_write_1h_tokens: 'safe',
    reasoning_tokens: 'safe',
    units: 'text',
    elapsed_ms: 'safe',
    estimated: 'int',
    ended: 'text',
    content: 'text',
    created_at: 'safe',
    request_id: 'text',
  },
  values: (row) => [
    row.amount,
    promptTokens(row),
    completionTokens(row),
    row.tokens.cachedInput,
    row.tokens.cacheWrite5m,
    row.tokens.cacheWrite1h,
    row.tokens.reasoning,
    encodeUnits(row.tokens.units),
    row.elapsedMs,
    row.estimated ? 1 : 0,
    row.ended,
    row.content,
    row.createdAt,
    row.requestId,
  ],
}
/** The columns by which a correction finds its row; an index has the first. */
export const LOG_CORRECTION_KEY: readonly string[] = ['created_at', 'request_id']

export const TRACE: WrittenTable<TraceRow> = {
  name: 'trace',
  columns: {
    request_id: 'text',
    user_id: 'int',
    url: 'text',
    method: 'text',
    status: 'int',
    body_size: 'safe',
    received_ms: 'safe',
    forwarded_ms: 'safe',
    first_upstream_ms: 'safe',
    first_client_ms: 'safe',
    upstream_completed_ms: 'safe',
    completed_ms: 'safe',
    attempts: 'text',
    held: 'int8',
    upstream_usage: 'text',
    routing: 'text',
  },
  values: (row) => [
    row.requestId,
    row.userId,
    row.url,
    row.method,
    row.status,
    row.bodySize,
    row.received,
    row.forwarded,
    row.firstUpstream,
    row.firstClient,
    row.upstreamCompleted,
    row.completed,
    row.attempts,
    row.held,
    row.upstreamUsage,
    row.routing,
  ],
}

/** The first five columns are the key; the others are added up. */
export const USAGE: WrittenTable<UsageRow> = {
  name: 'usage_daily',
  columns: {
    day: 'int',
    user_id: 'int',
    token_id: 'int',
    channel_id: 'int',
    model: 'text',
    requests: 'safe',
    prompt_tokens: 'safe',
    completion_tokens: 'safe',
    amount: 'int8',
  },
  values: (row) => [
    row.day,
    row.userId,
    row.tokenId,
    row.channelId,
    row.model,
    row.requests,
    row.promptTokens,
    row.completionTokens,
    row.amount,
  ],
}
export const USAGE_KEY = ['day', 'user_id', 'token_id', 'channel_id', 'model'] as const
export const USAGE_SUMS = ['requests', 'prompt_tokens', 'completion_tokens', 'amount'] as const

/** All input classes together. */
function promptTokens({ tokens }: Pick<LogRow, 'tokens'>): number {
  return tokens.input + tokens.cachedInput + tokens.cacheWrite5m + tokens.cacheWrite1h + promptUnits(tokens.units)
}

/** All output classes together. */
function completionTokens({ tokens }: Pick<LogRow, 'tokens'>): number {
  return tokens.output + outputUnits(tokens.units)
}
