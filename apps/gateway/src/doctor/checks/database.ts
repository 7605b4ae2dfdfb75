import type { Check } from '../check.ts'

export interface DatabaseFacts {
  /** Sends the database a query that reads no row. */
  readonly ask: () => Promise<unknown>
  readonly isCurrent: () => Promise<boolean>
  /** Milliseconds that only increase. */
  readonly steady: () => number
}

/** A database on the same network answers within one or two milliseconds. */
const SLOW_MS = 250
const TRIES = 3

/** Checks that the database is at the right step, and measures its fastest answer. */
export function databaseCheck({ ask, isCurrent, steady }: DatabaseFacts): Check {
  return {
    name: 'database',
    examine: async () => {
      if (!(await isCurrent())) return [{ id: 'database.pending' }]
      let best = Infinity
      for (let tried = 0; tried < TRIES; tried++) {
        const began = steady()
        await ask()
        best = Math.min(best, steady() - began)
      }
      const params = { ms: Math.max(1, Math.round(best)) }
      return [{ id: best > SLOW_MS ? 'database.slow' : 'database.ok', params }]
    },
  }
}
