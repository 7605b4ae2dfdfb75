import { type Redemption, REDEMPTION_STATUS } from '@sluice/contract/redemption'
import type { Tone } from '~/ui/badge.tsx'

export type StatusName = 'unused' | 'expired' | 'disabled' | 'used' | 'unknown'

/** Name and tone of a status on the wire: 1 unused, or expired at `now` (unix seconds), 2 disabled, 3 used. */
export function redemptionStatus(
  { status, expired_time: expiry }: Pick<Redemption, 'status' | 'expired_time'>,
  now: number,
): { readonly name: StatusName; readonly tone: Tone } {
  switch (status) {
    case REDEMPTION_STATUS.unused:
      return expiry > 0 && expiry <= now ? { name: 'expired', tone: 'neutral' } : { name: 'unused', tone: 'good' }
    case REDEMPTION_STATUS.disabled:
      return { name: 'disabled', tone: 'neutral' }
    case REDEMPTION_STATUS.used:
      return { name: 'used', tone: 'warn' }
    default:
      return { name: 'unknown', tone: 'neutral' }
  }
}

/** What the list's switch does to a status: it toggles between unused and disabled. A used code stays used. */
export function toggledStatus(status: number): 1 | 2 | undefined {
  if (status === REDEMPTION_STATUS.used) return undefined
  return status === REDEMPTION_STATUS.unused ? REDEMPTION_STATUS.disabled : REDEMPTION_STATUS.unused
}
