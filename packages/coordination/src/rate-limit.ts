import { correctRate, decideRate, type RateDecision, type RateRule } from './rate.ts'

export interface RateLimiter {
  /** Counts `cost` (1 by default; 0 or more) for `key`, unless it is refused. The same key always has the same rule. */
  take(key: string, rule: RateRule, cost?: number): RateDecision
  /** Corrects what `take` counted by `cost`, which may be negative. Never refuses; the next `take` includes the correction. */
  correct(key: string, rule: RateRule, cost: number): void
  /** Returns one accepted request of `key`: for rules that count only failures but must also hold for parallel calls. */
  giveBack(key: string, rule: RateRule): void
  /** Keys in the table; never more than the capacity. */
  readonly size: number
}

/**
 * One number per key (see `rate.ts`), in a bounded table. When it is full of keys in use, a new key is refused (class S28: neither
 * memory nor the limit may give way); keys that are already counted continue as before. Keys unused for their period are removed.
 */
export function createRateLimiter(options: { readonly capacity: number; readonly now: () => number }): RateLimiter {
  const { capacity } = options
  const now = steadily(options.now)
  /** Key → unix ms from which it is unused; ordered by the last accepted request. */
  const unusedAt = new Map<string, number>()

  /** Checks a few of the least recently used keys; the next request checks more. */
  const makeRoom = (time: number): number => {
    let looked = 0
    let soonest = Number.POSITIVE_INFINITY
    for (const [key, unused] of unusedAt) {
      if (unused <= time) unusedAt.delete(key)
      else soonest = Math.min(soonest, unused)
      looked += 1
      if (looked === SWEEP) break
    }
    return unusedAt.size < capacity ? 0 : soonest - time
  }

  const correct = (key: string, rule: RateRule, cost: number): void => {
    const time = now()
    const held = unusedAt.get(key)
    // An unknown key has nothing to return, and a full table accepts no new keys.
    if (held === undefined && (cost <= 0 || unusedAt.size >= capacity)) return
    const unused = correctRate(held ?? time, time, rule, cost)
    if (unused <= time) unusedAt.delete(key)
    else unusedAt.set(key, unused)
  }

  return {
    get size() {
      return unusedAt.size
    },
    take: (key, rule, cost = 1) => {
      const time = now()
      const held = unusedAt.get(key)
      const asked = decideRate(held ?? time, time, rule, cost)
      if (!asked.decision.allowed) return asked.decision
      if (held === undefined && unusedAt.size >= capacity) {
        const wait = makeRoom(time)
        if (wait > 0) return { allowed: false, remaining: 0, resetMs: Math.ceil(wait), retryAfterMs: Math.ceil(wait) }
      }
      unusedAt.delete(key)
      if (asked.unusedAt > time) unusedAt.set(key, asked.unusedAt)
      return asked.decision
    },
    correct,
    giveBack: (key, rule) => correct(key, rule, -1),
  }
}

/** A clock that is set back would block every key for that long; this one continues from the time it had reached. */
function steadily(now: () => number): () => number {
  let latest = Number.NEGATIVE_INFINITY
  let behind = 0
  return () => {
    const time = now()
    behind = Math.max(behind, latest - time)
    latest = time + behind
    return latest
  }
}

const SWEEP = 64
