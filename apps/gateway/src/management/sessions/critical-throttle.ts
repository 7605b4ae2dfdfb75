import type { Refusal } from '@sluice/contract/errors'
import type { RateDecision, RateRule } from '@sluice/coordination/rate'
import { createRateLimiter } from '@sluice/coordination/rate-limit'
import type { Context } from 'hono'
import { networkOf } from '../../edge/address-range.ts'
import type { SharedPorts } from '../ports.ts'

/** For public calls that send mail, create accounts or could guess secrets: 20 in 20 minutes per network, as in the family. */
const PER_ADDRESS: RateRule = { limit: 20, periodMs: 20 * 60_000 }
/** Mail to one address, from all callers together. */
const PER_MAILBOX: RateRule = { limit: 5, periodMs: 60 * 60_000 }
/** Mail that one account requests, from anywhere and to anyone: the bot challenge is not repeated for it. */
const PER_ACCOUNT: RateRule = { limit: 10, periodMs: 60 * 60_000 }
/** Keys tracked at once. Further ones are refused rather than let through (class S28). */
const CAPACITY = 100_000

/** The reason why a call must wait; undefined when it may proceed. Every call counts, whatever its outcome. */
export interface CriticalThrottle {
  readonly byAddress: (context: Context) => Refusal | undefined
  /** `email` in lower case. */
  readonly byMailbox: (email: string) => Refusal | undefined
  readonly byAccount: (userId: number) => Refusal | undefined
}

export function createCriticalThrottle(deps: Pick<SharedPorts, 'now' | 'clientAddress'>): CriticalThrottle {
  const addresses = createRateLimiter({ capacity: CAPACITY, now: deps.now })
  const mailboxes = createRateLimiter({ capacity: CAPACITY, now: deps.now })
  const accounts = createRateLimiter({ capacity: CAPACITY, now: deps.now })
  return {
    byAddress: (context) => refusalOf(addresses.take(networkOf(deps.clientAddress(context)), PER_ADDRESS)),
    byMailbox: (email) => refusalOf(mailboxes.take(email, PER_MAILBOX)),
    byAccount: (userId) => refusalOf(accounts.take(String(userId), PER_ACCOUNT)),
  }
}

export function refusalOf(decision: RateDecision): Refusal | undefined {
  return decision.allowed ? undefined : tooMany(Math.ceil(decision.retryAfterMs / 1_000))
}

export function tooMany(seconds: number): Refusal {
  return { code: 'login_throttled', params: { seconds }, retryAfter: seconds }
}
