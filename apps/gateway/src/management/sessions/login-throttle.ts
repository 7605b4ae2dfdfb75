import type { RateRule } from '@sluice/coordination/rate'
import { createRateLimiter } from '@sluice/coordination/rate-limit'
import { networkOf } from '../../client-network.ts'

/** One address may fail 20 times in 20 minutes, as in the family. */
const PER_ADDRESS: RateRule = { limit: 20, periodMs: 20 * 60_000 }
/** One name may be failed 10 times in 5 minutes, from wherever. */
const PER_NAME: RateRule = { limit: 10, periodMs: 5 * 60_000 }
/** Addresses or names remembered at a time. Beyond that, unknown ones are refused rather than let through (class S28). */
const CAPACITY = 100_000

/** One attempt to sign in. */
export type Attempt =
  | { readonly admitted: true; /** To be called after a success, which does not count. */ readonly forgive: () => void }
  | { readonly admitted: false; /** Whole seconds to wait. */ readonly seconds: number }

/**
 * Counts an attempt before the password is looked at, so that parallel tries cannot slip past. Known and unknown names are
 * counted alike, so the answer tells nothing about a name.
 */
export type LoginThrottle = (address: string, username: string) => Attempt

export function createLoginThrottle(now: () => number): LoginThrottle {
  const addresses = createRateLimiter({ capacity: CAPACITY, now })
  const names = createRateLimiter({ capacity: CAPACITY, now })

  return (address, username) => {
    const network = networkOf(address)
    const byAddress = addresses.take(network, PER_ADDRESS)
    if (!byAddress.allowed) return { admitted: false, seconds: Math.ceil(byAddress.retryAfterMs / 1_000) }
    const name = username.trim().normalize('NFKC').toLowerCase()
    const byName = names.take(name, PER_NAME)
    if (!byName.allowed) return { admitted: false, seconds: Math.ceil(byName.retryAfterMs / 1_000) }
    return {
      admitted: true,
      forgive: () => {
        addresses.giveBack(network, PER_ADDRESS)
        names.giveBack(name, PER_NAME)
      },
    }
  }
}
