import type { Refusal } from '@sluice/contract/errors'
import type { OwnLimits } from '@sluice/coordination/limits'
import { networkOf } from '../client-network.ts'
import type { Accepted } from '../edge/exchange.ts'
import type { RelayOptions } from './relay-options.ts'
import type { Route } from './route.ts'

export interface LimitDeps {
  /** Each replica holds its part: channels are asked in the middle of a request, which is no time to ask others. */
  readonly channelLimits: OwnLimits
}

export interface AddressLimitDeps {
  /** Each replica holds its part: a flood must cost nobody but the process that it comes to. */
  readonly addressLimits: OwnLimits
  readonly options: () => Pick<RelayOptions, 'AddressRequestsPerMinute'>
}

/** The family counts in spans of three minutes. */
export const FAMILY_PERIOD_MS = 180_000
export const MINUTE_MS = 60_000

/** A channel's own limit, counted per token when the channel is about to be asked. */
export function limitChannel(
  { channelLimits }: LimitDeps,
  tokenId: number,
  { channel }: Pick<Route, 'channel'>,
): Refusal | undefined {
  const limit = channel.ratelimit
  if (limit === 0) return undefined
  const rule = { limit, periodMs: FAMILY_PERIOD_MS }
  const [decision] = channelLimits.take([{ key: `${channel.id}:${tokenId}`, rule, cost: 1 }])
  return decision?.allowed === false
    ? rateLimited(`${limit} requests in 3 minutes for this token with one provider`, decision.retryAfterMs)
    : undefined
}

/** The limit of an address: counted before the key is looked up, so that guessing keys is limited too (class S28). */
export function limitAddress(
  { addressLimits, options }: AddressLimitDeps,
  { client }: Pick<Accepted, 'client'>,
): Refusal | undefined {
  const { AddressRequestsPerMinute: limit } = options()
  if (limit === 0) return undefined
  const rule = { limit, periodMs: MINUTE_MS }
  const [decision] = addressLimits.take([{ key: networkOf(client), rule, cost: 1 }])
  return decision?.allowed === false
    ? rateLimited(`${limit} requests per minute from one address`, decision.retryAfterMs)
    : undefined
}

/** `limit` in words, as in "60 requests per minute for this token". */
export function rateLimited(limit: string, retryAfterMs: number): Refusal {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000))
  return { code: 'rate_limited', params: { limit, seconds }, retryAfter: seconds }
}
