import type { RateRule } from '@sluice/coordination/rate'
import { createRateLimiter, type RateLimiter } from '@sluice/coordination/rate-limit'
import { networkOf } from '../../edge/address-range.ts'
import { knownFor, type KnownDevice, loginName } from './known-devices.ts'

/** As in the family, 20 failures in 20 minutes; people at this machine get more, because no one else can help them. */
const PER_NETWORK: RateRule = { limit: 20, periodMs: 20 * 60_000 }
const PER_MACHINE: RateRule = { limit: 100, periodMs: 20 * 60_000 }
/** Failures allowed to one network for one name, so that a single network does not use up the share of all strangers. */
const PER_NAME_AND_NETWORK: RateRule = { limit: 5, periodMs: 5 * 60_000 }
/** Strangers can fail 10 times in 5 minutes for one name, from anywhere. */
const PER_NAME: RateRule = { limit: 10, periodMs: 5 * 60_000 }
const PER_NAME_ON_MACHINE: RateRule = { limit: 30, periodMs: 5 * 60_000 }
/** The same limits for a browser that has signed in with the name before, and for all such browsers together. */
const PER_NAME_ON_DEVICE: RateRule = { limit: 10, periodMs: 5 * 60_000 }
const PER_NAME_ON_DEVICES: RateRule = { limit: 100, periodMs: 5 * 60_000 }
/** Keys of each kind tracked at once. Further ones are refused rather than let through (class S28). */
const CAPACITY = 100_000

/** The source of a sign-in attempt, as far as it is known before any look-up. */
export interface SignInSource {
  readonly address: string
  readonly isLocal: boolean
  readonly device: KnownDevice | undefined
}

export type Attempt =
  | {
      readonly admitted: true
      /** Call when the attempt did not fail, so that it does not count. */
      readonly forgive: () => void
    }
  | { readonly admitted: false; /** Whole seconds to wait. */ readonly seconds: number }

/**
 * Counts tries before the password is checked, so that parallel ones cannot slip past. Known and unknown names are counted alike,
 * so the reply reveals nothing about a name.
 *
 * Strangers' failures never lock out the owner of the name (class S48): browsers in which the owner has signed in, and this
 * machine, are counted separately.
 */
export interface LoginThrottle {
  /** Whether this network may make any attempt. Not checked if the device is known for the name. */
  readonly network: (source: SignInSource, username: string) => Attempt
  /** Whether a sign-in with this name may be attempted from here. */
  readonly name: (source: SignInSource, username: string) => Attempt
}

export function createLoginThrottle(now: () => number): LoginThrottle {
  const limiter = (): RateLimiter => createRateLimiter({ capacity: CAPACITY, now })
  const networks = limiter()
  const pairs = limiter()
  const names = limiter()
  const local = limiter()
  const devices = limiter()
  const knownNames = limiter()

  return {
    network: ({ address, isLocal, device }, username) => {
      if (knownFor(device, username) !== undefined) return take([])
      return isLocal ? take([[local, '', PER_MACHINE]]) : take([[networks, networkOf(address), PER_NETWORK]])
    },
    name: ({ address, isLocal, device }, username) => {
      const name = loginName(username)
      const known = knownFor(device, name)
      if (known !== undefined) {
        return take([
          [devices, `${known.id} ${name}`, PER_NAME_ON_DEVICE],
          [knownNames, name, PER_NAME_ON_DEVICES],
        ])
      }
      if (isLocal) return take([[local, `name ${name}`, PER_NAME_ON_MACHINE]])
      return take([
        [pairs, `${networkOf(address)} ${name}`, PER_NAME_AND_NETWORK],
        [names, name, PER_NAME],
      ])
    },
  }
}

type Claim = readonly [limiter: RateLimiter, key: string, rule: RateRule]

/** Counts against all limits in order; if one refuses, those before it stay counted. */
function take(claims: readonly Claim[]): Attempt {
  for (const [limiter, key, rule] of claims) {
    const decision = limiter.take(key, rule)
    if (!decision.allowed) return { admitted: false, seconds: Math.ceil(decision.retryAfterMs / 1_000) }
  }
  return {
    admitted: true,
    forgive: () => {
      for (const [limiter, key, rule] of claims) limiter.giveBack(key, rule)
    },
  }
}
