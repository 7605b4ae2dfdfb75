import { QUOTA_MAX } from '@sluice/contract/scalars'
import * as v from 'valibot'
import type { Translation } from '../../../lib/i18n/texts.ts'
import type { en } from '../texts/en.ts'

/** What the gateway keeps of a remark. */
const LONGEST_REMARK = 200

/** Amounts that one press enters, in currency units. */
export const QUICK_AMOUNTS = [1, 5, 10, 50, 100] as const

/** What the dialog holds: quota points, NaN while the field holds no number. */
export interface TopUp {
  quota: number
  remark: string
}

export const NO_TOP_UP: TopUp = { quota: Number.NaN, remark: '' }

/** Rules of the dialog in the visitor's language. */
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
