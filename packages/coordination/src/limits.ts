import { createRateLimiter } from './rate-limit.ts'
import type { RateDecision, RateRule } from './rate.ts'

export interface LimitClaim {
  /** Owner and subject of the limit, as `token:7:requests`; the same key always has the same rule. At most 200 characters. */
  readonly key: string
  /** The whole limit, for all replicas together. */
  readonly rule: RateRule
  /** 0 or more. */
  readonly cost: number
}

/**
 * Limits that apply to all replicas together. `take` returns at once if this process decides alone, otherwise a promise that never
 * rejects and is never late: an engine that cannot reach the others decides alone in the meantime.
 */
export interface Limits {
  /**
   * All or nothing: if one claim is refused, none is counted. Returns one decision per claim, in order; claims that are not
   * themselves refused are `allowed`, even if another claim was refused. `claims` has at most 8 entries with distinct keys.
   */
  take(claims: readonly LimitClaim[]): readonly RateDecision[] | Promise<readonly RateDecision[]>
  /** Corrects a claim that `take` counted by `cost`, which may be negative. Never refuses; the next `take` includes it. */
  correct(claim: LimitClaim): void
}

/** Limits that this process decides alone, at once. */
export interface OwnLimits extends Limits {
  take(claims: readonly LimitClaim[]): readonly RateDecision[]
}

export interface MemoryLimitsOptions {
  /** Maximum keys in use at the same time; beyond it, unknown keys are refused (class S28). */
  readonly capacity: number
  /** Unix milliseconds. */
  readonly now: () => number
  /** This process's share of each limit: 1 if it is alone, 1/3 if it is one of three. Above 0, at most 1. */
  readonly shareOf: () => number
}

/** This process's share of each limit, in its memory: exact when alone; among several, as even as their load. */
export function createMemoryLimits({ capacity, now, shareOf }: MemoryLimitsOptions): OwnLimits {
  const limiter = createRateLimiter({ capacity, now })
  const own = ({ limit, periodMs }: RateRule, share: number): RateRule =>
    share === 1 ? { limit, periodMs } : { limit: limit * share, periodMs }
  /** Reverts claims that were counted next to a refused one; their decisions then exclude them. */
  const undone = (claims: readonly LimitClaim[], decisions: readonly RateDecision[], share: number) =>
    decisions.map((decision, index) => {
      const claim = claims[index]
      if (!decision.allowed || claim === undefined) return decision
      limiter.correct(claim.key, own(claim.rule, share), -claim.cost)
      return { ...limiter.take(claim.key, own(claim.rule, share), 0), allowed: true }
    })
  return {
    take: (claims) => {
      const share = shareOf()
      const decisions = claims.map(({ key, rule, cost }) => limiter.take(key, own(rule, share), cost))
      const answered = decisions.every(({ allowed }) => allowed) ? decisions : undone(claims, decisions, share)
      return share === 1 ? answered : answered.map((decision) => whole(decision, share))
    },
    correct: ({ key, rule, cost }) => limiter.correct(key, own(rule, shareOf()), cost),
  }
}

/** The total left for all replicas, if the others have as much left as this one. */
function whole(decision: RateDecision, share: number): RateDecision {
  return { ...decision, remaining: Math.floor(decision.remaining / share) }
}
