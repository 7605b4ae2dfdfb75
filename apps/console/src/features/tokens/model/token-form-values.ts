import type { BudgetInput } from '@sluice/contract/budget'
import type { UsableGroups } from '@sluice/contract/groups'
import { QUOTA_MAX } from '@sluice/contract/scalars'
import { type Token, TOKEN_STATUS, LIMIT_MAX } from '@sluice/contract/token'
import * as v from 'valibot'
import { expiredTimeOf, expiryText } from '~/lib/format/date.ts'
import type { Translation } from '~/lib/i18n/texts.ts'
import { type BudgetFields, budgetFieldsSchema, fieldsOfBudgets, NO_BUDGETS } from '~/ui/quota/budgets.ts'
import type { en as quotaEn } from '~/ui/quota/texts/quota-texts.ts'
import type { en } from '../texts/token-texts.ts'
import { statusAfterEdit } from './token-status.ts'

/**
 * In the order of the fields: requests and tokens per minute, concurrent requests, calls with the same body per minute, quota
 * points of one session.
 */
export const REQUEST_LIMITS = ['rpm', 'tpm', 'concurrency', 'repeat_rpm', 'session_quota'] as const
export type RequestLimit = (typeof REQUEST_LIMITS)[number]

/** Null for no limit; NaN while a field holds something that is not a number. */
type RequestLimitFields = Record<RequestLimit, number | null>
/** As the gateway stores them: 0 for no limit. */
type RequestLimits = Record<RequestLimit, number>

function eachLimit<Value>(valueOf: (limit: RequestLimit) => Value) {
  return Object.fromEntries(REQUEST_LIMITS.map((limit) => [limit, valueOf(limit)])) as Record<RequestLimit, Value>
}

function requestLimitsSchema(t: Translation<typeof en>): v.GenericSchema<RequestLimitFields, RequestLimits> {
  const field = v.pipe(
    v.nullable(
      v.pipe(
        v.number(t.limitWhole),
        v.integer(t.limitWhole),
        v.minValue(1, t.limitTooSmall),
        v.maxValue(LIMIT_MAX, t.limitTooLarge),
      ),
    ),
    v.transform((limit) => limit ?? 0),
  )
  return v.object(eachLimit(() => field))
}

/** In quota points. */
const DEFAULT_TOKEN_QUOTA = 500_000
const LONGEST_NAME = 30
const KNOWN_STATUS = Object.values(TOKEN_STATUS)

export interface TokenFormInput {
  name: string
  /** Quota points; NaN while the field does not hold a number. */
  remain_quota: number
  /** Local date-time text; empty for never. */
  expired_time: string
  unlimited_quota: boolean
  budgets: BudgetFields
  limits: RequestLimitFields
  /** As in `22:00-07:00 Europe/Berlin`; empty for none. The gateway checks it. */
  quiet_hours: string
  groups: string[]
  models: string[]
  subnet: string
}

export interface TokenFormValues extends Omit<TokenFormInput, 'expired_time' | 'budgets' | 'limits'> {
  /** Unix seconds, -1 for never. */
  expired_time: number
  budgets: BudgetInput[]
  limits: RequestLimits
}

export const NEW_TOKEN: TokenFormInput = {
  name: '',
  remain_quota: DEFAULT_TOKEN_QUOTA,
  expired_time: '',
  unlimited_quota: false,
  budgets: NO_BUDGETS,
  limits: eachLimit(() => null),
  quiet_hours: '',
  groups: [],
  models: [],
  subnet: '',
}

export function formOfToken(token: Token): TokenFormInput {
  return {
    name: token.name,
    remain_quota: token.remain_quota,
    expired_time: expiryText(token.expired_time),
    unlimited_quota: token.unlimited_quota,
    budgets: fieldsOfBudgets(token.budgets),
    limits: eachLimit((limit) => token[limit] || null),
    quiet_hours: token.quiet_hours ?? '',
    groups: token.groups,
    models: token.models === null ? [] : token.models.split(',').filter((name) => name !== ''),
    subnet: token.subnet ?? '',
  }
}

/** The quota of an unlimited token is ignored. Groups are not checked until the usable ones are known. */
export function tokenFormSchema(
  t: Translation<typeof en>,
  quotaTexts: Translation<typeof quotaEn>,
  usable?: UsableGroups,
): v.GenericSchema<TokenFormInput, TokenFormValues> {
  const common = {
    name: v.pipe(v.string(), v.trim(), v.minLength(1, t.nameRequired), v.maxLength(LONGEST_NAME, t.nameTooLong)),
    expired_time: v.pipe(
      v.string(),
      v.check((text) => expiredTimeOf(text) !== undefined, t.badExpiration),
      v.transform((text) => expiredTimeOf(text) ?? -1),
    ),
    budgets: budgetFieldsSchema(quotaTexts),
    limits: requestLimitsSchema(t),
    quiet_hours: v.pipe(v.string(), v.trim()),
    groups: v.pipe(
      v.array(v.string()),
      v.rawCheck(({ dataset, addIssue }) => {
        const wrong = usable && dataset.typed ? dataset.value.find((name) => !Object.hasOwn(usable, name)) : undefined
        if (wrong !== undefined) addIssue({ message: t.groupNotUsable(wrong) })
      }),
    ),
    models: v.array(v.string()),
    subnet: v.pipe(v.string(), v.trim()),
  }
  const quota = v.pipe(
    v.number(t.quotaNegative),
    v.minValue(0, t.quotaNegative),
    v.integer(t.quotaWhole),
    v.maxValue(QUOTA_MAX, t.quotaTooLarge),
  )
  // An unlimited token's field can hold anything, such as an overdrawn quota; what is not a quota is sent as 0.
  const unlookedAt = v.pipe(
    v.union([v.number(), v.nan()]),
    v.transform((points) => (v.is(quota, points) ? points : 0)),
  )
  return v.variant('unlimited_quota', [
    v.object({ ...common, unlimited_quota: v.literal(false), remain_quota: quota }),
    v.object({ ...common, unlimited_quota: v.literal(true), remain_quota: unlookedAt }),
  ])
}

/** Sends no groups to servers that do not know them. */
export function createBody({ limits, groups, models, ...values }: TokenFormValues) {
  return { ...values, ...limits, ...(groups.length > 0 && { groups }), models: models.join(',') }
}

/**
 * `nowSeconds` decides whether a later expiry reactivates an expired token. Includes the quota that the form began with, so that an
 * unchanged quota does not give back what the token has spent since.
 */
export function updateBody(
  token: Pick<Token, 'id' | 'status'>,
  values: TokenFormValues,
  nowSeconds: number,
  start: Pick<TokenFormInput, 'remain_quota' | 'groups'>,
) {
  const status = statusAfterEdit({ ...values, status: token.status }, nowSeconds)
  const known = KNOWN_STATUS.find((value) => value === status)
  const seen = { remain_quota_seen: start.remain_quota }
  const none = start.groups.length > 0 && values.groups.length === 0 && { groups: [] }
  return { ...createBody(values), ...none, id: token.id, ...seen, ...(known !== undefined && { status: known }) }
}
