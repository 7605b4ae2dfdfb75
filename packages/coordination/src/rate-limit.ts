/** So many requests in so long; all of them may come at once. */
export interface RateRule {
  readonly limit: number
  readonly periodMs: number
}

export type RateDecision = { readonly allowed: true } | { readonly allowed: false; readonly retryAfterMs: number }

/** Limits requests per key in this process's memory. */
export interface RateLimiter {
  /** Counts one request of `key`, unless it is refused. The same key always comes with the same rule. */
  take(key: string, rule: RateRule): RateDecision
  /** Takes back one accepted request of `key`: for rules that shall count failures only, yet hold while calls run in parallel. */
  giveBack(key: string, rule: RateRule): void
  /** Keys held at the moment; never more than the capacity. */
  readonly size: number
}

/**
 * The generic cell rate algorithm: per key one number, the time at which the key would be unused again. The table is bounded.
 * When it is full of keys in use, a key that is not in it is refused (class S28: neither memory nor the limit may give way);
 * whoever is already counted goes on as before. Keys unused for their period make room.
 */
export function createRateLimiter(options: { readonly capacity: number; readonly now: () => number }): RateLimiter {
  const { capacity, now } = options
  /** Key to the unix ms at which its last request is used up; ordered by the last accepted request. */
  const unusedAt = new Map<string, number>()

  /** Looks at a few of the longest untouched keys; more come with the next request. */
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

  return {
    get size() {
      return unusedAt.size
    },
    take: (key, { limit, periodMs }) => {
      const time = now()
      const interval = periodMs / limit
      const held = unusedAt.get(key)
      const unused = Math.max(time, held ?? time) + interval
      const early = unused - periodMs - time
      // Sums of intervals carry rounding; a thousandth of a millisecond is not worth a refusal.
      if (early > ROUNDING_MS) return { allowed: false, retryAfterMs: Math.ceil(early - ROUNDING_MS) }
      if (held === undefined && unusedAt.size >= capacity) {
        const wait = makeRoom(time)
        if (wait > 0) return { allowed: false, retryAfterMs: Math.ceil(wait) }
      }
      unusedAt.delete(key)
      unusedAt.set(key, unused)
      return { allowed: true }
    },
    giveBack: (key, { limit, periodMs }) => {
      const held = unusedAt.get(key)
      if (held === undefined) return
      const unused = held - periodMs / limit
      if (unused <= now()) unusedAt.delete(key)
      else unusedAt.set(key, unused)
    },
  }
}

const SWEEP = 64
const ROUNDING_MS = 0.001
