import * as v from 'valibot'
import { whenAbsent } from './absence.ts'
import { budget, budgetsInput } from './budget.ts'
import { groupName, tokenGroups } from './groups.ts'
import { rowId } from './row-id.ts'
import { exactQuota, QUOTA_MAX, sentBack, unixSeconds, usedBefore, wholeQuota } from './scalars.ts'

/** On the wire. The server derives expired and exhausted from time and quota. */
export const TOKEN_STATUS = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const

export const token = v.object({
  id: rowId,
  name: v.string(),
  /** With its `sk-` prefix; owners only. */
  key: v.string(),
  status: v.number(),
  /** Negative when overdrawn. */
  remain_quota: wholeQuota,
  remain_quota_exact: exactQuota,
  used_quota: wholeQuota,
  used_quota_exact: exactQuota,
  ...usedBefore,
  unlimited_quota: v.boolean(),
  created_time: unixSeconds,
  accessed_time: unixSeconds,
  /** Unix seconds, or -1 for never. */
  expired_time: unixSeconds,
  /** Groups that serve it, in the order of trying; empty for its owner's. `['auto']` stands for those in `AutoGroups`. */
  groups: whenAbsent(v.array(v.string()), []),
  /** For the family's clients: the first of `groups`, or empty. */
  group: whenAbsent(v.string(), ''),
  /** Comma-separated; null or empty allows every model of its groups. */
  models: v.nullable(v.string()),
  /** Comma-separated IPs or CIDRs; null or empty allows every address. */
  subnet: v.nullable(v.string()),
  /** Requests per minute, tokens per minute (prompts and answers together), simultaneous requests; 0 sets no limit. */
  rpm: whenAbsent(v.number(), 0),
  tpm: whenAbsent(v.number(), 0),
  concurrency: whenAbsent(v.number(), 0),
  /** Maximum cost of a session, and maximum calls per minute with the same body; 0 sets no limit. */
  session_quota: whenAbsent(wholeQuota, 0),
  repeat_rpm: whenAbsent(v.number(), 0),
  /** When it refuses everything, as `22:00-07:00 Europe/Berlin`; null for never. */
  quiet_hours: whenAbsent(v.nullable(v.string()), null),
  /** Limits per day, week or month, besides its quota. */
  budgets: v.array(budget),
})
export type Token = v.InferOutput<typeof token>

/** A token as administrators see it: with its owner, without its key. */
export const anyToken = v.object({
  ...v.omit(token, ['key']).entries,
  user_id: rowId,
  username: v.string(),
})
export type AnyToken = v.InferOutput<typeof anyToken>

export const LIMIT_MAX = 1_000_000_000

/** Absent keeps the current value; a new token then has no limit. */
const limitInput = v.optional(
  v.pipe(
    v.number(),
    v.integer('must be a whole number'),
    v.minValue(0, 'must be at least 0 (0 sets no limit)'),
    v.maxValue(LIMIT_MAX, `must be at most ${LIMIT_MAX}`),
  ),
)

/** Negative only with `unlimited_quota`, which ignores it: clients send -1, or the value that an overdrawn token showed. */
const tokenQuota = v.pipe(
  v.number(),
  v.integer('Quota must be a whole number'),
  v.minValue(-QUOTA_MAX, 'Quota must be non-negative'),
  v.maxValue(QUOTA_MAX, `Quota is limited to ${QUOTA_MAX}`),
)

const tokenFields = {
  name: v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1, 'Token name is required'),
    v.maxLength(30, 'Token name is limited to 30 characters'),
  ),
  remain_quota: v.optional(tokenQuota, 0),
  expired_time: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(-1, 'Expiration must be a unix time in seconds, or -1 for never'),
      v.maxValue(253_402_300_799, 'Expiration must be before the year 10000'),
    ),
    -1,
  ),
  unlimited_quota: v.optional(v.boolean(), false),
  /** Absent keeps the current groups; a new token then uses its owner's. */
  groups: v.optional(tokenGroups),
  /** One group, or empty for the owner's; read only if `groups` is absent. The group that the sender was shown changes nothing. */
  group: v.optional(v.union([v.literal(''), groupName])),
  models: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(20_000))), null),
  subnet: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(2_000))), null),
  rpm: limitInput,
  tpm: limitInput,
  concurrency: limitInput,
  session_quota: v.optional(
    v.pipe(
      v.number(),
      v.integer('Quota must be a whole number'),
      v.minValue(0, 'must be at least 0 (0 sets no limit)'),
      v.maxValue(QUOTA_MAX, `Quota is limited to ${QUOTA_MAX}`),
    ),
  ),
  repeat_rpm: limitInput,
  /** Absent keeps the current ones; null or empty for none. */
  quiet_hours: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(100)))),
  budgets: budgetsInput,
} as const

export const tokenCreate = v.object(tokenFields)
/**
 * Without `remain_quota` a token keeps what it has left. Otherwise `remain_quota` is applied as a difference to the value that the
 * sender was shown, because the token might have spent meanwhile: to `remain_quota_seen`, or, when a body as read is sent back, to
 * its `remain_quota_exact` or `used_quota`. A body with none of them sets the value.
 */
export const tokenUpdate = v.object({
  ...tokenFields,
  remain_quota: v.optional(tokenQuota),
  remain_quota_seen: v.optional(tokenQuota),
  remain_quota_exact: sentBack.exact,
  used_quota: sentBack.used,
  id: rowId,
  status: v.optional(v.picklist(Object.values(TOKEN_STATUS))),
})
export const tokenStatusUpdate = v.object({
  id: rowId,
  status: v.picklist([TOKEN_STATUS.enabled, TOKEN_STATUS.disabled], 'Status must be 1 (enabled) or 2 (disabled)'),
})

/** Tells the card of a new token that the token works, or why not. */
export const firstCall = v.object({
  /** Unix seconds of the latest charge; 0 for none. */
  called_time: unixSeconds,
  /** The latest refusal by this process since its start, if any. */
  refusal: v.optional(
    v.object({
      code: v.string(),
      message: v.string(),
      time: unixSeconds,
    }),
  ),
})
export type FirstCall = v.InferOutput<typeof firstCall>
