import type { ImportFamily } from '@sluice/contract/import'
import { MQ_PLACES, parseDecimalText } from '@sluice/ledger/decimal-text'
import { mq, mqFromQuota, wholeCharge } from '@sluice/ledger/units'
import type { ForeignRow } from '@sluice/store/foreign/foreign-database'
import { LOG_TYPE } from '@sluice/store/statuses'
import { Fields } from './fields.ts'
import { SKIPPED, type Taken, takenFrom } from './taken.ts'

/** A row of another gateway's log. Ids are those of the source. */
export interface SourceLog {
  readonly userId: number
  /** Unix seconds. */
  readonly createdAt: number
  readonly type: number
  readonly content: string
  readonly username: string
  readonly tokenName: string
  /** The charged model and the one that the client requested. */
  readonly model: string
  readonly originModel: string
  /** mq */
  readonly amount: bigint
  readonly promptTokens: number
  readonly completionTokens: number
  readonly cachedTokens: number
  readonly channelId: number
  readonly channelName: string
  readonly elapsedMs: number
  readonly isStream: boolean
}

export const LOG_COLUMNS = [
  'id',
  'user_id',
  'created_at',
  'type',
  'content',
  'username',
  'token_name',
  'model_name',
  'origin_model_name',
  'quota',
  'quota_exact',
  'prompt_tokens',
  'completion_tokens',
  'cached_prompt_tokens',
  'channel_id',
  'channel_name',
  'elapsed_time',
  'use_time',
  'is_stream',
] as const

const NAME_MAX = 255
const CONTENT_MAX = 10_000
const LATEST_SECONDS = 253_402_300_799
const TOKENS_MAX = 1_000_000_000
const QUOTA_MAX = 100_000_000_000_000
const KEPT: ReadonlySet<number> = new Set([LOG_TYPE.topup, LOG_TYPE.consume, LOG_TYPE.management, LOG_TYPE.system])

/** Rows of types that are not stored here are skipped. */
export function takeLog(family: ImportFamily, row: ForeignRow): Taken<SourceLog> {
  const fields = new Fields(row)
  const type = fields.integer('type', 0, 1_000)
  if (fields.fault === undefined && !KEPT.has(type)) return SKIPPED
  const model = fields.text('model_name', NAME_MAX)
  return takenFrom(fields, {
    userId: fields.integer('user_id', 0, Number.MAX_SAFE_INTEGER, 0),
    createdAt: fields.integer('created_at', 0, LATEST_SECONDS),
    type,
    content: fields.text('content', CONTENT_MAX),
    username: fields.text('username', NAME_MAX),
    tokenName: fields.text('token_name', NAME_MAX),
    model,
    originModel: fields.text('origin_model_name', NAME_MAX) || model,
    amount: amountOf(fields),
    promptTokens: fields.integer('prompt_tokens', 0, TOKENS_MAX, 0),
    completionTokens: fields.integer('completion_tokens', 0, TOKENS_MAX, 0),
    cachedTokens: fields.integer('cached_prompt_tokens', 0, TOKENS_MAX, 0),
    channelId: fields.integer('channel_id', 0, Number.MAX_SAFE_INTEGER, 0),
    channelName: fields.text('channel_name', NAME_MAX),
    elapsedMs: elapsedOf(family, fields),
    isStream: fields.flag('is_stream'),
  })
}

/** The family has whole points; an export from here also has the exact amount. */
function amountOf(fields: Fields): bigint {
  const quota = fields.integer('quota', -QUOTA_MAX, QUOTA_MAX, 0)
  const text = fields.text('quota_exact', 40)
  const exact = text === '' ? undefined : parseDecimalText(text, MQ_PLACES)
  if (text === '') return mqFromQuota(quota)
  const isRounded = exact !== undefined && wholeCharge(mq(exact)) === quota
  if (!isRounded) fields.refuse('quota_exact', 'is not the exact amount of quota')
  return exact ?? 0n
}

/** new-api counts whole seconds. */
function elapsedOf(family: ImportFamily, fields: Fields): number {
  const elapsed =
    family === 'new-api'
      ? fields.integer('use_time', 0, 10_000_000, 0) * 1_000
      : fields.integer('elapsed_time', 0, 10_000_000_000, 0)
  return Math.min(elapsed, Number.MAX_SAFE_INTEGER)
}
