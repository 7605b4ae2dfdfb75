import { QUOTA_MAX } from '@sluice/contract/scalars'
import { type Token, TOKEN_STATUS } from '@sluice/contract/token'
import * as v from 'valibot'
import type { Translation } from '../../../lib/i18n/texts.ts'
import type { en } from '../texts/en.ts'
import { expiredTimeOf, expiryText } from './expiry.ts'
import { statusAfterEdit } from './token-status.ts'

/** Quota points a new token is offered. */
export const DEFAULT_TOKEN_QUOTA = 500_000
const LONGEST_NAME = 30
const KNOWN_STATUS = Object.values(TOKEN_STATUS)

type TokenFormSchema = ReturnType<typeof tokenFormSchema>
/** What the form holds while it is edited: the quota may be NaN, the expiry is local date-time text, empty for never. */
export type TokenFormInput = v.InferInput<TokenFormSchema>
/** What a valid form means: the expiry in unix seconds, -1 for never. */
export type TokenFormValues = v.InferOutput<TokenFormSchema>

export const NEW_TOKEN: TokenFormInput = {
  name: '',
  remain_quota: DEFAULT_TOKEN_QUOTA,
  expired_time: '',
  unlimited_quota: false,
  models: [],
  subnet: '',
}

/** The form as it shows a stored token. */
export function formOfToken(token: Token): TokenFormInput {
  return {
    name: token.name,
    remain_quota: token.remain_quota,
    expired_time: expiryText(token.expired_time),
    unlimited_quota: token.unlimited_quota,
    models: token.models === null ? [] : token.models.split(',').filter((name) => name !== ''),
    subnet: token.subnet ?? '',
  }
}

/** Rules of the form in the visitor's language. The quota of an unlimited token is not looked at. */
export function tokenFormSchema(t: Translation<typeof en>) {
  return v.pipe(
    v.object({
      name: v.pipe(v.string(), v.trim(), v.minLength(1, t.nameRequired), v.maxLength(LONGEST_NAME, t.nameTooLong)),
      expired_time: v.pipe(
        v.string(),
        v.check((text) => expiredTimeOf(text) !== undefined, t.badExpiration),
      ),
      unlimited_quota: v.boolean(),
      remain_quota: v.union([v.number(), v.nan()]),
      models: v.array(v.string()),
      subnet: v.pipe(v.string(), v.trim()),
    }),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed || dataset.value.unlimited_quota) return
      const message = quotaProblem(dataset.value.remain_quota, t)
      if (message === undefined) return
      const { value } = dataset
      const path = [
        { type: 'object', origin: 'value', input: value, key: 'remain_quota', value: value.remain_quota },
      ] as const
      addIssue({ message, path: [...path] })
    }),
    v.transform((form) => ({
      ...form,
      expired_time: expiredTimeOf(form.expired_time) ?? -1,
      // The field of an unlimited token may hold anything, such as an overdrawn quota.
      remain_quota: form.unlimited_quota && quotaProblem(form.remain_quota, t) !== undefined ? 0 : form.remain_quota,
    })),
  )
}

function quotaProblem(quota: number, t: Translation<typeof en>): string | undefined {
  if (Number.isNaN(quota) || quota < 0) return t.quotaNegative
  if (!Number.isInteger(quota)) return t.quotaWhole
  return quota > QUOTA_MAX ? t.quotaTooLarge : undefined
}

/** Body of the create call. */
export function createBody(values: TokenFormValues) {
  return {
    name: values.name,
    remain_quota: values.remain_quota,
    expired_time: values.expired_time,
    unlimited_quota: values.unlimited_quota,
    models: values.models.join(','),
    subnet: values.subnet,
  }
}

/** Body of the update call; `nowSeconds` decides whether a later expiry brings an expired token back. */
export function updateBody(token: Pick<Token, 'id' | 'status'>, values: TokenFormValues, nowSeconds: number) {
  const status = statusAfterEdit({ ...values, status: token.status }, nowSeconds)
  const known = KNOWN_STATUS.find((value) => value === status)
  return { ...createBody(values), id: token.id, ...(known !== undefined && { status: known }) }
}
