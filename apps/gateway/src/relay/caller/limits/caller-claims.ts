import type { LimitClaim } from '@sluice/coordination/limits'
import type { RequestLimits } from '@sluice/store/options/request-limits'
import type { Identity } from '../../stages/identity.ts'
import { FAMILY_PERIOD_MS, MINUTE_MS } from './limit.ts'

export type LimitedCaller = Pick<Identity, 'tokenId' | 'userId' | 'group' | 'limits'>

export interface CallerClaim extends LimitClaim {
  readonly of: 'requests' | 'tokens'
  /** As in "60 requests per minute for this token". */
  readonly words: string
}

export interface ClaimSettings {
  /** Requests per token in three minutes; 0 is unlimited. */
  readonly relayRateLimit: number
  /** Limits of the caller's group, for each of its users; undefined for none. */
  readonly ofUser: RequestLimits | undefined
}

/** `tokens` is the request's usage known so far; undefined for calls that use no tokens, to which token limits do not apply. */
export function claimsOf(
  { tokenId, userId, limits }: LimitedCaller,
  { relayRateLimit, ofUser }: ClaimSettings,
  tokens: number | undefined,
): readonly CallerClaim[] {
  const claims: CallerClaim[] = []
  if (relayRateLimit > 0) {
    const rule = { limit: relayRateLimit, periodMs: FAMILY_PERIOD_MS }
    claims.push({
      key: `token:${tokenId}:3m`,
      rule,
      cost: 1,
      of: 'requests',
      words: `${relayRateLimit} requests in 3 minutes for a token`,
    })
  }
  add(claims, `token:${tokenId}`, 'this token', limits, tokens)
  if (ofUser !== undefined) add(claims, `user:${userId}`, 'this account', ofUser, tokens)
  return claims
}

function add(
  claims: CallerClaim[],
  owner: string,
  words: string,
  { rpm, tpm }: RequestLimits,
  tokens: number | undefined,
): void {
  if (rpm > 0) {
    const rule = { limit: rpm, periodMs: MINUTE_MS }
    claims.push({
      key: `${owner}:rpm`,
      rule,
      cost: 1,
      of: 'requests',
      words: `${rpm} requests per minute for ${words}`,
    })
  }
  if (tpm > 0 && tokens !== undefined) {
    const rule = { limit: tpm, periodMs: MINUTE_MS }
    claims.push({
      key: `${owner}:tpm`,
      rule,
      cost: tokens,
      of: 'tokens',
      words: `${tpm} tokens per minute for ${words}`,
    })
  }
}
