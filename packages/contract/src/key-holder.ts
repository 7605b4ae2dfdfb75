import * as v from 'valibot'
import { log } from './log.ts'
import { rowId } from './row-id.ts'
import { exactQuota, unixSeconds, wholeQuota } from './scalars.ts'

export const tokenBalance = v.object({
  id: rowId,
  name: v.string(),
  /** Available to new calls: reserved amounts are excluded. */
  remain_quota: wholeQuota,
  remain_quota_exact: exactQuota,
  used_quota: wholeQuota,
  used_quota_exact: exactQuota,
  unlimited_quota: v.boolean(),
})

export const TRANSACTION_STATUS = { opening: 0, pending: 1, confirmed: 2, autoConfirmed: 3, cancelled: 4 } as const

/** Quota that another program reserved or charged with an API key. */
export const tokenTransaction = v.object({
  id: rowId,
  transaction_id: v.string(),
  token_id: rowId,
  /** 1 pending, 2 confirmed, 3 confirmed because it expired, 4 cancelled. */
  status: v.number(),
  pre_quota: wholeQuota,
  /** Charged amount; null while pending. */
  final_quota: v.nullable(wholeQuota),
  reason: v.string(),
  request_id: v.string(),
  expires_at: unixSeconds,
  created_at: unixSeconds,
  /** 0 unless confirmed or cancelled. */
  confirmed_at: unixSeconds,
  canceled_at: unixSeconds,
  auto_confirmed: v.boolean(),
  elapsed_time_ms: v.number(),
})
export type TokenTransaction = v.InferOutput<typeof tokenTransaction>

/** Such a charge is priced as one unit; charges with a larger price could no longer be proved. */
const EXTERNAL_QUOTA_MAX = 9_000_000_000
const RESERVATION_SECONDS = { default: 600, max: 3_600 } as const

const quota = v.pipe(
  v.number(),
  v.integer('Quota must be a whole number'),
  v.minValue(0, 'Quota must be non-negative'),
  v.maxValue(EXTERNAL_QUOTA_MAX, `Quota is limited to ${EXTERNAL_QUOTA_MAX} in one transaction`),
)

export const consumeBody = v.object({
  phase: v.optional(v.picklist(['pre', 'post', 'cancel', 'single'], 'must be pre, post, cancel or single'), 'single'),
  /** Amount to reserve (`pre`) or charge (`single`); with `post`, the amount to charge if `final_used_quota` is absent. */
  add_used_quota: v.optional(quota),
  final_used_quota: v.optional(quota),
  add_reason: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, 'is limited to 200 characters')), ''),
  /** Chosen by the caller, or by the gateway for `pre` and `single`. */
  transaction_id: v.optional(
    v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,128}$/, 'must be 1 to 128 visible ASCII characters')),
  ),
  timeout_seconds: v.optional(
    v.pipe(
      v.number(),
      v.integer('must be a whole number'),
      v.minValue(1, 'must be at least 1'),
      v.maxValue(RESERVATION_SECONDS.max, `must be at most ${RESERVATION_SECONDS.max}`),
    ),
    RESERVATION_SECONDS.default,
  ),
  elapsed_time_ms: v.optional(
    v.pipe(v.number(), v.integer('must be a whole number'), v.minValue(0), v.maxValue(86_400_000)),
    0,
  ),
})
export type ConsumeBody = v.InferOutput<typeof consumeBody>

/** The account behind a key, as far as a key holder needs to know. */
export const keyOwner = v.object({
  id: rowId,
  username: v.string(),
  display_name: v.string(),
  role: v.number(),
  status: v.number(),
  group: v.string(),
  quota: wholeQuota,
  quota_exact: exactQuota,
  used_quota: wholeQuota,
  used_quota_exact: exactQuota,
  request_count: v.number(),
  token: tokenBalance,
})

/** OpenAI's old billing shapes, which chat clients show as a balance. */
export const billingSubscription = v.object({
  object: v.literal('billing_subscription'),
  has_payment_method: v.boolean(),
  soft_limit_usd: v.number(),
  hard_limit_usd: v.number(),
  system_hard_limit_usd: v.number(),
  /** Unix seconds; 0 for never. */
  access_until: unixSeconds,
})
export const billingUsage = v.object({
  object: v.literal('list'),
  /** Hundredths of the subscription's unit. */
  total_usage: v.number(),
})

/** New API's reply about a key, which desktop clients show as a balance. */
export const tokenUsage = v.object({
  code: v.literal(true),
  message: v.literal('ok'),
  data: v.object({
    object: v.literal('token_usage'),
    name: v.string(),
    /** Available plus used quota. */
    total_granted: wholeQuota,
    total_used: wholeQuota,
    /** Meaningless if the quota is unlimited. */
    total_available: wholeQuota,
    unlimited_quota: v.boolean(),
    /** Models that the key is restricted to; empty for all. */
    model_limits: v.record(v.string(), v.literal(true)),
    model_limits_enabled: v.boolean(),
    /** Unix seconds; 0 for never. */
    expires_at: unixSeconds,
  }),
})

/** -1 without a limit, null without a budget. */
const usd = v.number()

/** sub2api's reply about a key, which cc-switch and agents' status lines show. All amounts are in dollars by `QuotaPerUnit`. */
export const keyUsage = v.object({
  isValid: v.literal(true),
  /** Available to the next call: the least of the key's limit, its owner's balance and both their budgets; -1 without any limit. */
  remaining: usd,
  used: usd,
  /** `remaining` plus `used`; -1 without any limit. */
  total: usd,
  unit: v.literal('USD'),
  /** For each period, the budget with less left: the key's or its owner's. */
  subscription: v.object({
    daily_usage_usd: v.nullable(usd),
    daily_limit_usd: v.nullable(usd),
    weekly_usage_usd: v.nullable(usd),
    weekly_limit_usd: v.nullable(usd),
    monthly_usage_usd: v.nullable(usd),
    monthly_limit_usd: v.nullable(usd),
    /** Earliest reset of these budgets, in ISO 8601. */
    resets_at: v.nullable(v.string()),
  }),
})
export type KeyUsage = v.InferOutput<typeof keyUsage>

/** The charge for a request, in the format of Laisky's One API. */
export const requestCost = v.object({
  id: rowId,
  created_time: unixSeconds,
  user_id: rowId,
  request_id: v.string(),
  quota: wholeQuota,
  quota_exact: exactQuota,
  /** By the option `QuotaPerUnit`. */
  cost_usd: v.number(),
})

/** A key's log rows, as New API's pages for key holders read them: the usual fields, and two of New API's own. */
export const tokenLogs = v.object({
  success: v.literal(true),
  message: v.string(),
  data: v.array(
    v.object({
      ...log.entries,
      /** Seconds, rounded up. */
      use_time: v.pipe(v.number(), v.integer()),
      /** JSON text with everything that has no column. */
      other: v.string(),
    }),
  ),
})
