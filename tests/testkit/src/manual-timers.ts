import type { Timers } from '@sluice/ledger/timers'

/** Timers and a clock that only a test advances. */
export interface ManualTimers extends Timers {
  /** Unix milliseconds. */
  readonly now: () => number
  /** Advances the clock, runs due timers in order, and lets the resulting work run. */
  advance(ms: number): Promise<void>
  /** Advances the clock as a machine's sleep does: all due timers run late, at once. */
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

/** Lets all work run that waits for nothing but its turn. */
export async function untilIdle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
}
