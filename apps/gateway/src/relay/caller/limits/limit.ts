import type { Refusal } from '@sluice/contract/errors'
import type { LimitClaim, Limits } from '@sluice/coordination/limits'
import { networkOf } from '../../../edge/address-range.ts'
import type { Accepted } from '../../../edge/exchange.ts'
import type { RelayOptions } from '../../relay-options.ts'
import type { Route } from '../../stages/route.ts'
import type { CallerLimits } from './caller-limits.ts'

export type LimitDeps = Pick<CallerLimits, 'channelLimits'>

export type LimitChannel = (tokenId: number, route: Pick<Route, 'channel'>) => Promise<Refusal | undefined> | undefined
export type LimitAddress = (caller: Pick<Accepted, 'client'>) => Promise<Refusal | undefined> | undefined

export interface AddressLimitDeps extends Pick<CallerLimits, 'addressLimits'> {
  readonly options: () => Pick<RelayOptions, 'AddressRequestsPerMinute'>
}

/** The family counts over three minutes. */
export const FAMILY_PERIOD_MS = 180_000
export const MINUTE_MS = 60_000

/** Counted per token just before the channel is called. Most channels have no limit, so nothing waits. */
export function limitChannel(
  { channelLimits }: LimitDeps,
  tokenId: number,
  { channel }: Pick<Route, 'channel'>,
): Promise<Refusal | undefined> | undefined {
  const limit = channel.ratelimit
  if (limit === 0) return undefined
  const claim = { key: `${channel.id}:${tokenId}`, rule: { limit, periodMs: FAMILY_PERIOD_MS }, cost: 1 }
  return take(channelLimits, claim, `${limit} requests in 3 minutes for this token on one channel`)
}

/** The limit of an address: counted before the key is looked up, so that guessing keys is limited too (class S28). */
export function limitAddress(
  { addressLimits, options }: AddressLimitDeps,
  { client }: Pick<Accepted, 'client'>,
): Promise<Refusal | undefined> | undefined {
  const { AddressRequestsPerMinute: limit } = options()
  if (limit === 0) return undefined
  const claim = { key: networkOf(client), rule: { limit, periodMs: MINUTE_MS }, cost: 1 }
  return take(addressLimits, claim, `${limit} requests per minute from one address`)
}

async function take(limits: Limits, claim: LimitClaim, words: string): Promise<Refusal | undefined> {
  const [decision] = await limits.take([claim])
  return decision?.allowed === false ? rateLimited(words, decision.retryAfterMs) : undefined
}

export function rateLimited(limit: string, retryAfterMs: number): Refusal {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000))
  return { code: 'rate_limited', params: { limit, seconds }, retryAfter: seconds }
}
