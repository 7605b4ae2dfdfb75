import * as v from 'valibot'
import { whenAbsent } from './absence.ts'
import { rowId } from './row-id.ts'
import { QUOTA_MAX, unixSeconds, wholeQuota } from './scalars.ts'

export const REDEMPTION_STATUS = { unused: 1, disabled: 2, used: 3 } as const

const REDEMPTION_COUNT_MAX = 100

export const redemption = v.object({
  id: rowId,
  name: v.string(),
  /** 32 hexadecimal characters; administrators only. */
  key: v.string(),
  status: v.number(),
  quota: wholeQuota,
  /** The creator. */
  user_id: v.number(),
  created_time: unixSeconds,
  /** Unix seconds from which it cannot be redeemed; 0 for never. */
  expired_time: whenAbsent(unixSeconds, 0),
  /** Unix seconds; 0 while unused. */
  redeemed_time: unixSeconds,
  /** 0 while unused. */
  redeemed_by: whenAbsent(v.number(), 0),
  /** Empty while unused. */
  redeemed_by_name: v.string(),
})
export type Redemption = v.InferOutput<typeof redemption>

const name = v.pipe(v.string(), v.trim(), v.minLength(1, 'Name is required'), v.maxLength(20, 'Max 20 chars'))
const quota = v.pipe(
  v.number(),
  v.integer('Quota must be a whole number'),
  v.minValue(0, 'Quota cannot be negative'),
  v.maxValue(QUOTA_MAX, `Quota is limited to ${QUOTA_MAX}`),
)

const expiredTime = v.pipe(
  v.number(),
  v.integer('Expiration must be a whole number of seconds'),
  v.minValue(0, 'Expiration must be a unix time in seconds, or 0 for never'),
  v.maxValue(253_402_300_799, 'Expiration must be before the year 10000'),
)

export const redemptionCreate = v.object({
  name,
  quota,
  expired_time: v.optional(expiredTime, 0),
  count: v.optional(
    v.pipe(
      v.number(),
      v.integer('Count must be a whole number'),
      v.minValue(1, 'Count must be positive'),
      v.maxValue(REDEMPTION_COUNT_MAX, `Count cannot exceed ${REDEMPTION_COUNT_MAX}`),
    ),
    1,
  ),
})
export const redemptionUpdate = v.object({ id: rowId, name, quota, expired_time: v.optional(expiredTime) })
export const redemptionStatusUpdate = v.object({
  id: rowId,
  status: v.picklist(
    [REDEMPTION_STATUS.unused, REDEMPTION_STATUS.disabled],
    'Status must be 1 (unused) or 2 (disabled)',
  ),
})
