/** Limits retries while many calls fail: at most a fifth of the last ten seconds' calls, plus ten. Times in unix milliseconds. */
export interface RetryBudget {
  /** Counts a first try. */
  sent(now: number): void
  /** Whether a request may be retried; if so, the retry is counted. */
  take(now: number): boolean
}

export function createRetryBudget(): RetryBudget {
  const sent = Array.from({ length: SLOTS }, () => 0)
  const retried = Array.from({ length: SLOTS }, () => 0)
  let sentInAll = 0
  let retriedInAll = 0
  /** Number of the second that is being filled. */
  let second = 0

  /** Empties the seconds that are past, and returns the current slot. */
  const turnTo = (now: number): number => {
    const next = Math.floor(now / SLOT_MS)
    for (let turn = Math.min(next - second, SLOTS); turn > 0; turn--) {
      const at = (next - turn + 1) % SLOTS
      sentInAll -= sent[at] ?? 0
      retriedInAll -= retried[at] ?? 0
      sent[at] = 0
      retried[at] = 0
    }
    second = Math.max(second, next)
    return second % SLOTS
  }

  return {
    sent: (now) => {
      const at = turnTo(now)
      sent[at] = (sent[at] ?? 0) + 1
      sentInAll += 1
    },
    take: (now) => {
      const at = turnTo(now)
      if (retriedInAll >= ALWAYS + Math.floor(sentInAll * SHARE)) return false
      retried[at] = (retried[at] ?? 0) + 1
      retriedInAll += 1
      return true
    },
  }
}

/** A budget for each name: failures under one name do not use up the budgets of others. */
export interface RetryBudgets {
  of(name: string): RetryBudget
}

/** At most `capacity` names; the least recently used one starts again. */
export function createRetryBudgets(capacity: number): RetryBudgets {
  const budgets = new Map<string, RetryBudget>()
  return {
    of: (name) => {
      const budget = budgets.get(name) ?? createRetryBudget()
      budgets.delete(name)
      budgets.set(name, budget)
      const { value: oldest } = budgets.keys().next()
      if (budgets.size > capacity && oldest !== undefined) budgets.delete(oldest)
      return budget
    },
  }
}

const SLOT_MS = 1_000
const SLOTS = 10
const SHARE = 0.2
const ALWAYS = 10
