import type { TraceRow } from '../operation.ts'
import { type Price, priceContent } from '../pricing.ts'
import type {
  Account,
  Budget,
  Hold,
  LedgerEvent,
  LogCorrection,
  LogRow,
  Redemption,
  TransferRow,
  UsageRow,
} from '../rules/rows.ts'
import { encodeUnits, outputUnits, promptUnits } from '../unit-class.ts'

export type SqlValue = null | number | bigint | string

/** `safe` is an integer up to 2^53 − 1, which PostgreSQL keeps as double precision. */
export type ColumnType = 'text' | 'int' | 'safe' | 'int8'

/** A table that batches write: its columns, and the values of one row in their order. */
export interface WrittenTable<Row> {
  readonly name: string
  readonly columns: Readonly<Record<string, ColumnType>>
  readonly values: (row: Row) => SqlValue[]
}

export const HOLD: WrittenTable<Hold> = {
  name: 'hold',
  columns: {
    request_id: 'text',
    account: 'int',
    limit_account: 'int',
    amount: 'int8',
    progress: 'text',
    replica: 'text',
    opened_ms: 'safe',
    touched_ms: 'safe',
  },
  values: (row) => [
    row.requestId,
    row.account,
    row.limitAccount,
    row.amount,
    row.progress,
    row.replica,
    row.openedMs,
    row.touchedMs,
  ],
}

/** What a batch adds to the row of an account; only `unlimited` and `last_ms` replace. */
export const ACCOUNT_CHANGE: WrittenTable<Account> = {
  name: 'account',
  columns: {
    id: 'int',
    posted: 'int8',
    held: 'int8',
    spent: 'int8',
    requests: 'safe',
    unlimited: 'int',
    last_ms: 'safe',
  },
  values: (row) => [row.id, row.posted, row.held, row.spent, row.requests, row.unlimited ? 1 : 0, row.lastMs],
}

export const BUDGET: WrittenTable<Budget> = {
  name: 'budget',
  columns: { account: 'int', period: 'text', amount: 'int8', window_start_ms: 'safe', spent: 'int8' },
  values: (row) => [row.account, row.period, row.amount, row.windowStartMs, row.spent],
}

/** What redeeming changes in the row of a code. */
export const REDEEMED: WrittenTable<Redemption> = {
  name: 'redemption',
  columns: { id: 'int', status: 'int', redeemed_by: 'int', redeemed_ms: 'safe' },
  values: (row) => [row.id, row.status, row.redeemedBy, row.redeemedMs],
}

export const TRANSFER: WrittenTable<TransferRow> = {
  name: 'transfer',
  columns: {
    request_id: 'text',
    kind: 'text',
    debit: 'int',
    credit: 'int',
    limit_account: 'int',
    amount: 'int8',
    price_id: 'int',
    input_tokens: 'safe',
    cached_tokens: 'safe',
    cache_write_5m_tokens: 'safe',
    cache_write_1h_tokens: 'safe',
    output_tokens: 'safe',
    other_prompt_tokens: 'safe',
    other_output_tokens: 'safe',
    units: 'text',
    channel_id: 'int',
    model: 'text',
    actor: 'int',
    reason: 'text',
    at_ms: 'safe',
    refers_to: 'text',
  },
  values: (row) => [
    row.requestId,
    row.kind,
    row.debit,
    row.credit,
    row.limitAccount,
    row.amount,
    row.priceId,
    row.tokens.input,
    row.tokens.cachedInput,
    row.tokens.cacheWrite5m,
    row.tokens.cacheWrite1h,
    row.tokens.output,
    promptUnits(row.tokens.units),
    outputUnits(row.tokens.units),
    encodeUnits(row.tokens.units),
    row.channelId,
    row.model,
    row.actor,
    row.reason,
    row.atMs,
    row.refersTo,
  ],
}

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

export const EVENT: WrittenTable<LedgerEvent> = {
  name: 'ledger_event',
  columns: { kind: 'text', account: 'int', subject: 'text', amount: 'int8' },
  values: (row) => [row.kind, row.account, row.subject, row.amount],
}

export const PRICE: WrittenTable<Price> = {
  name: 'price',
  columns: {
    content: 'text',
    input: 'int8',
    cached_input: 'int8',
    cache_write_5m: 'int8',
    cache_write_1h: 'int8',
    output: 'int8',
    units: 'text',
    group_ratio: 'int8',
    source: 'text',
  },
  values: (price) => [
    priceContent(price),
    price.rates.input,
    price.rates.cachedInput,
    price.rates.cacheWrite5m,
    price.rates.cacheWrite1h,
    price.rates.output,
    encodeUnits(price.rates.units),
    price.groupRatio,
    price.source,
  ],
}

/** All input classes together. */
function promptTokens({ tokens }: Pick<LogRow, 'tokens'>): number {
  return tokens.input + tokens.cachedInput + tokens.cacheWrite5m + tokens.cacheWrite1h + promptUnits(tokens.units)
}

/** All output classes together. */
function completionTokens({ tokens }: Pick<LogRow, 'tokens'>): number {
  return tokens.output + outputUnits(tokens.units)
}
