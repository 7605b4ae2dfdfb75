import type { Refusal } from '@sluice/contract/errors'
import type { RateRule } from '@sluice/coordination/rate'
import { createRateLimiter } from '@sluice/coordination/rate-limit'

/** Networks counted at once. Further ones are refused rather than let through (class S28). */
const CAPACITY = 100_000
const MINUTE_MS = 60_000
/** A reply made for a single request counts as one more request per this many bytes. */
const BYTES_OF_REQUEST = 65_536

export interface GuestRate {
  /** Counts a request. Returns the reason why it must wait, or undefined if it may proceed. */
  take(network: string): Refusal | undefined
  /** Counts a reply that was made for this request alone, by its size. */
  made(network: string, bytes: number): void
}

/** `limit`: requests per minute, 0 for no limit. */
export function createGuestRate({ limit, now }: { readonly limit: number; readonly now: () => number }): GuestRate {
  if (limit === 0) return { take: () => undefined, made: () => {} }
  const rates = createRateLimiter({ capacity: CAPACITY, now })
  const rule: RateRule = { limit, periodMs: MINUTE_MS }
  return {
    take: (network) => {
      const decision = rates.take(network, rule)
      if (decision.allowed) return undefined
      const seconds = Math.max(1, Math.ceil(decision.retryAfterMs / 1_000))
      const params = { limit: `${limit} requests per minute from one address without an account`, seconds }
      return { code: 'rate_limited', params, retryAfter: seconds }
    },
    made: (network, bytes) => {
      if (bytes >= BYTES_OF_REQUEST) rates.correct(network, rule, Math.floor(bytes / BYTES_OF_REQUEST))
    },
  }
}
