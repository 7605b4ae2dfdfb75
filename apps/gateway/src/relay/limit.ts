import type { Refusal } from '@sluice/contract/errors'
import type { RateLimiter } from '@sluice/coordination/rate-limit'
import type { Authorised } from './authenticate.ts'
import type { Route } from './route.ts'

export interface LimitDeps {
  readonly limiter: RateLimiter
  /** Requests per token in three minutes; 0 is unlimited. */
  readonly relayRateLimit: number
}

/** The family counts in spans of three minutes. */
const PERIOD_MS = 180_000

/** Undefined when the token may go on. */
export function limitToken(
  { limiter, relayRateLimit }: LimitDeps,
  { identity }: Pick<Authorised, 'identity'>,
): Refusal | undefined {
  if (relayRateLimit === 0) return undefined
  const decision = limiter.take(`token:${identity.tokenId}`, { limit: relayRateLimit, periodMs: PERIOD_MS })
  return decision.allowed ? undefined : rateLimited(decision.retryAfterMs)
}

/** A channel's own limit, counted per token when the channel is about to be asked. */
export function limitChannel(
  { limiter }: LimitDeps,
  tokenId: number,
  { channel }: Pick<Route, 'channel'>,
): Refusal | undefined {
  if (channel.ratelimit === 0) return undefined
  const rule = { limit: channel.ratelimit, periodMs: PERIOD_MS }
  const decision = limiter.take(`channel:${channel.id}:${tokenId}`, rule)
  return decision.allowed ? undefined : rateLimited(decision.retryAfterMs)
}

function rateLimited(retryAfterMs: number): Refusal {
  const seconds = Math.ceil(retryAfterMs / 1_000)
  return { code: 'rate_limited', params: { seconds }, retryAfter: seconds }
}
