import { QUOTA_MAX } from '@sluice/contract/scalars'
import * as v from 'valibot'
import type { Translation } from '~/lib/i18n/texts.ts'
import type { en } from '../texts/en.ts'

/** Maximum length of a remark that the gateway stores. */
const LONGEST_REMARK = 200

/** Amounts offered as buttons, in currency units. */
export const QUICK_AMOUNTS = [1, 5, 10, 50, 100] as const

/** The values of the dialog: quota points, NaN while the field does not hold a number. */
export interface TopUp {
  quota: number
  remark: string
}

export const NO_TOP_UP: TopUp = { quota: Number.NaN, remark: '' }

export function topUpSchema(t: Translation<typeof en>): v.GenericSchema<TopUp, TopUp> {
  return v.object({
    quota: v.pipe(
      v.number(t.quotaNoNumber),
      v.minValue(0, t.quotaNegative),
      v.integer(t.quotaWhole),
      v.maxValue(QUOTA_MAX, t.quotaTooLarge),
    ),
    remark: v.pipe(v.string(), v.trim(), v.maxLength(LONGEST_REMARK, t.remarkLong)),
  })
}
