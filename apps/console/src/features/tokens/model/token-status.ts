import { TOKEN_STATUS } from '@sluice/contract/token'
import type { Tone } from '~/ui/badge.tsx'

export type StatusName = 'enabled' | 'disabled' | 'expired' | 'exhausted' | 'unknown'

/** Name and tone of a status on the wire; anything but 1 to 4 is unknown. */
export function tokenStatus(status: number): { readonly name: StatusName; readonly tone: Tone } {
  switch (status) {
    case TOKEN_STATUS.enabled:
      return { name: 'enabled', tone: 'good' }
    case TOKEN_STATUS.disabled:
      return { name: 'disabled', tone: 'neutral' }
    case TOKEN_STATUS.expired:
      return { name: 'expired', tone: 'warn' }
    case TOKEN_STATUS.exhausted:
      return { name: 'exhausted', tone: 'bad' }
    default:
      return { name: 'unknown', tone: 'neutral' }
  }
}

interface StatusAfterEdit {
  readonly status: number
  readonly unlimited_quota: boolean
  readonly remain_quota: number
  readonly expired_time: number
}

/**
 * An edit may remove what ended a token: quota reactivates an exhausted token, a later expiry an expired one. Every other status is
 * kept.
 */
export function statusAfterEdit(token: StatusAfterEdit, nowSeconds: number): number {
  const { status, unlimited_quota, remain_quota, expired_time } = token
  if (status === TOKEN_STATUS.exhausted && (unlimited_quota || remain_quota > 0)) return TOKEN_STATUS.enabled
  if (status === TOKEN_STATUS.expired && (expired_time === -1 || expired_time > nowSeconds)) return TOKEN_STATUS.enabled
  return status
}

/** `undefined` for never, which the gateway stores as -1 or 0. */
export function expiryOf(expiredTime: number): number | undefined {
  return expiredTime === -1 || expiredTime === 0 ? undefined : expiredTime
}
