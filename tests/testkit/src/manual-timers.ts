import type { Timers } from '@sluice/ledger/timers'

/** Timers and a clock that advance only when a test moves them. */
export interface ManualTimers extends Timers {
  /** Unix milliseconds. */
  readonly now: () => number
  /** Moves the clock on, runs what falls due in order, and lets the work that follows from it run. */
  advance(ms: number): Promise<void>
  /** Moves the clock on as a machine's sleep does: everything due runs late, all at once. */
  sleep(ms: number): Promise<void>
}

interface Due {
  at: number
  readonly every: number | undefined
  readonly task: () => void
}

export function openManualTimers(start = 1_763_640_000_000): ManualTimers {
  let time = start
  const waiting = new Set<Due>()
  const add = (due: Due): (() => void) => {
    waiting.add(due)
    return () => waiting.delete(due)
  }
  const runNext = (until: number): boolean => {
    const [next] = [...waiting].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)
    if (next === undefined) return false
    time = Math.max(time, next.at)
    if (next.every === undefined) waiting.delete(next)
    else next.at = time + next.every
    next.task()
    return true
  }
  return {
    now: () => time,
    every: (ms, task) => add({ at: time + ms, every: ms, task }),
    after: (ms, task) => add({ at: time + ms, every: undefined, task }),
    turn: (task) => {
      setImmediate(task)
    },
    advance: async (ms) => {
      const until = time + ms
      await untilIdle()
      while (runNext(until)) await untilIdle()
      time = until
    },
    sleep: async (ms) => {
      time += ms
      while (runNext(time));
      await untilIdle()
    },
  }
}

/** Runs everything that is waiting only for its turn in the event loop. */
export async function untilIdle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
}
