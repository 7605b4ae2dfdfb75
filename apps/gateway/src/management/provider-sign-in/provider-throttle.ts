import { isRefusal, type Refusal } from '@sluice/contract/errors'
import type { RateRule } from '@sluice/coordination/rate'
import { createRateLimiter } from '@sluice/coordination/rate-limit'
import type { Context } from 'hono'
import { networkOf } from '../../edge/address-range.ts'
import type { SharedPorts } from '../ports.ts'
import { refusalOf } from '../sessions/critical-throttle.ts'

/** A whole office behind one address may sign in at the start of the day. */
const BEGUN: RateRule = { limit: 100, periodMs: 20 * 60_000 }
/** Counts only failures, so that codes cannot be guessed: 20 in 20 minutes, as in the family. */
const FAILED: RateRule = { limit: 20, periodMs: 20 * 60_000 }
/** Networks tracked at once. Further ones are refused rather than let through (class S28). */
const CAPACITY = 100_000

/** Limits how often one network may begin a sign-in with a provider, and fail. */
export interface ProviderThrottle {
  readonly begin: (context: Context) => Refusal | undefined
  /** Counts the attempt before it is made, and takes it back if it did not fail. */
  readonly attempt: <T extends object>(context: Context, run: () => Promise<T | Refusal>) => Promise<T | Refusal>
}

export function createProviderThrottle(deps: Pick<SharedPorts, 'now' | 'clientAddress'>): ProviderThrottle {
  const begun = createRateLimiter({ capacity: CAPACITY, now: deps.now })
  const failed = createRateLimiter({ capacity: CAPACITY, now: deps.now })
  return {
    begin: (context) => refusalOf(begun.take(networkOf(deps.clientAddress(context)), BEGUN)),
    attempt: async (context, run) => {
      const network = networkOf(deps.clientAddress(context))
      const refusal = refusalOf(failed.take(network, FAILED))
      if (refusal !== undefined) return refusal
      const result = await run()
      // A request for a second step is not a failure.
      if (!isRefusal(result) || result.code === 'totp_required') failed.giveBack(network, FAILED)
      return result
    },
  }
}
