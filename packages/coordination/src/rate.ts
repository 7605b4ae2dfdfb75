/** An allowance per period; all of it may be used at once. */
export interface RateRule {
  /** Requests, tokens or other units; above 0, and possibly fractional when replicas share it. */
  readonly limit: number
  readonly periodMs: number
}

export interface RateDecision {
  readonly allowed: boolean
  /** The unused part of the limit, rounded down; never below 0. */
  readonly remaining: number
  /** Milliseconds until the whole limit is available again if nothing more is used. */
  readonly resetMs: number
  /** 0 when allowed; otherwise whole milliseconds after which the same cost can be requested again. */
  readonly retryAfterMs: number
}

/** Sums of intervals carry rounding errors; a thousandth of a millisecond is not worth a refusal. */
export const ROUNDING_MS = 0.001
/** The largest debt of a key, and the largest cost of a claim, in periods: a bad estimate must not lock a key out for days. */
export const LONGEST_DEBT = 10

/**
 * The generic cell rate algorithm (ITU-T I.371) for costs. The only state of a key is `unusedAt`: the moment from which it counts
 * as never used. A cost above the whole limit passes when nothing is used, and is then paid off; otherwise its caller would wait in
 * vain.
 */
export interface Gcra {
  readonly decision: RateDecision
  /** To be stored if the claim is allowed. */
  readonly unusedAt: number
}

/** `unusedAt` is the key's stored value, in unix milliseconds; anything up to `now` means unused. `cost` ≥ 0. */
export function decideRate(unusedAt: number, now: number, { limit, periodMs }: RateRule, cost: number): Gcra {
  const interval = periodMs / limit
  const from = Math.max(now, unusedAt)
  const early = from + Math.min(cost, limit) * interval - periodMs - now
  if (early > ROUNDING_MS) {
    const remaining = unitsLeft(from, now, interval, periodMs)
    const retryAfterMs = Math.ceil(early - ROUNDING_MS)
    return { decision: { allowed: false, remaining, resetMs: Math.ceil(from - now), retryAfterMs }, unusedAt: from }
  }
  const until = from + Math.min(cost, LONGEST_DEBT * limit) * interval
  const remaining = unitsLeft(until, now, interval, periodMs)
  return { decision: { allowed: true, remaining, resetMs: Math.ceil(until - now), retryAfterMs: 0 }, unusedAt: until }
}

/** The new `unusedAt` of a key whose claim actually cost `cost` more (or less, if negative); never refuses. */
export function correctRate(unusedAt: number, now: number, { limit, periodMs }: RateRule, cost: number): number {
  const counted = Math.max(-LONGEST_DEBT * limit, Math.min(cost, LONGEST_DEBT * limit))
  const until = Math.max(now, unusedAt) + (counted * periodMs) / limit
  return Math.min(Math.max(now, until), now + LONGEST_DEBT * periodMs)
}

function unitsLeft(unusedAt: number, now: number, interval: number, periodMs: number): number {
  return Math.max(0, Math.floor((now + periodMs - unusedAt + ROUNDING_MS) / interval))
}
