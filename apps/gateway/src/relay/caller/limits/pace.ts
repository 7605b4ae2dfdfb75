/** How fast slots become free while requests wait for them. */
export interface Pace {
  /** The first request starts to wait, so earlier events no longer count. */
  start(): void
  /** Call this when a waiting request gets its slot. */
  step(): void
  /** Milliseconds until this many more requests get a slot; 0 if that cannot be estimated yet. */
  waitFor(steps: number): number
}

/** A shorter time is not representative. */
const LEAST_MS = 1_000
/** Length of a span. Steps of the current span and the one before it count. */
const SPAN_MS = 5_000

interface Span {
  readonly since: number
  steps: number
}

/** `now` in milliseconds from any start. */
export function createPace(now: () => number): Pace {
  let present: Span = { since: now(), steps: 0 }
  let past: Span | undefined

  const follow = (): Span => {
    const time = now()
    if (time - present.since > SPAN_MS) {
      past = present
      present = { since: time, steps: 0 }
    }
    return present
  }

  return {
    start: () => {
      present = { since: now(), steps: 0 }
      past = undefined
    },
    step: () => {
      follow().steps += 1
    },
    waitFor: (steps) => {
      const recent = follow().steps + (past?.steps ?? 0)
      const elapsed = now() - (past ?? present).since
      // One step is added, because the next one could happen at any moment: a single slow answer should not cause everyone to be
      // refused.
      return elapsed < LEAST_MS ? 0 : (steps * elapsed) / (recent + 1)
    },
  }
}
