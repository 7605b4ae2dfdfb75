import type { Redemption } from '@sluice/contract/redemption'
import { QUOTA_MAX } from '@sluice/contract/scalars'
import * as v from 'valibot'
import { expiredTimeOf, expiryText } from '~/lib/format/date.ts'
import type { QuotaDisplay } from '~/lib/format/quota.ts'
import type { Translation } from '~/lib/i18n/texts.ts'
import type { en } from '../texts/redemption-texts.ts'

/**
 * Codes are worth 500,000 points per currency unit, whatever the settings say, because the value printed on a code does not change.
 */
export const FIXED_UNIT: QuotaDisplay = { quota_per_unit: 500_000, display_in_currency: true }

const LONGEST_NAME = 20
export const MOST_CODES = 100
/** One currency unit in quota points. */
const DEFAULT_QUOTA = 500_000

export interface RedemptionFormInput {
  name: string
  quota: number
  /** Number of codes to make; ignored for a stored code. */
  count: number
  /** Local date-time text; empty for never. */
  expired_time: string
}

export interface RedemptionFormValues extends Omit<RedemptionFormInput, 'expired_time'> {
  /** Unix seconds, 0 for never. */
  expired_time: number
}

export const NEW_CODES: RedemptionFormInput = { name: '', quota: DEFAULT_QUOTA, count: 1, expired_time: '' }

export function formOfRedemption({ name, quota, expired_time: expiredTime }: Redemption): RedemptionFormInput {
  return { name, quota, count: 1, expired_time: expiryText(expiredTime) }
}

export function redemptionFormSchema(
  t: Translation<typeof en>,
): v.GenericSchema<RedemptionFormInput, RedemptionFormValues> {
  return v.object({
    name: v.pipe(v.string(), v.trim(), v.minLength(1, t.nameRequired), v.maxLength(LONGEST_NAME, t.nameLong)),
    quota: v.pipe(
      v.number(t.quotaNoNumber),
      v.minValue(0, t.quotaNegative),
      v.integer(t.quotaWhole),
      v.maxValue(QUOTA_MAX, t.quotaTooLarge),
    ),
    count: v.pipe(
      v.number(t.countNoNumber),
      v.minValue(1, t.countPositive),
      v.maxValue(MOST_CODES, t.countLarge),
      v.integer(t.countWhole),
    ),
    expired_time: v.pipe(
      v.string(),
      v.check((text) => expiredTimeOf(text) !== undefined, t.badExpiration),
      v.transform((text) => Math.max(0, expiredTimeOf(text) ?? 0)),
    ),
  })
}
