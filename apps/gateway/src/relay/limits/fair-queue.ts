import type { Refusal } from '@sluice/contract/errors'
import { createPace } from './pace.ts'
import { createWaitingLines, type Waiting } from './waiting-lines.ts'

/**
 * Places for requests that are under way, and a queue for those that must wait for one: in turn between users, first come first
 * served within one. Whoever would wait too long is told at once, and when to come back.
 */
export interface FairQueue {
  /**
   * Takes a place for a request of this user: at once when one is free, else in turn. A refusal when the queue is full, when the
   * wait is hopeless or was, or when `signal` aborts: then no place is taken.
   */
  enter(user: number, signal: AbortSignal): undefined | Refusal | Promise<Refusal | undefined>
  /** Gives one place back, to whose turn it is. Once for each place that was taken. */
  readonly leave: () => void
  /** Requests with a place. */
  readonly running: number
  readonly waiting: number
}

export interface FairQueueOptions {
  readonly places: number
  /** Requests that may wait. Beyond it the last request of the user with most of them gives way, if that is somebody else. */
  readonly mostWaiting: number
  /** Milliseconds that one may wait at most; 0: nobody waits. */
  readonly patienceMs: number
  /** Milliseconds from any start. */
  readonly now: () => number
  /** Calls `task` once after `ms`; answers how to stop it. */
  readonly after: (ms: number, task: () => void) => () => void
}

export function createFairQueue({ places, mostWaiting, patienceMs, now, after }: FairQueueOptions): FairQueue {
  const lines = createWaitingLines<Entry>()
  const pace = createPace(now)
  let running = 0

  const busy = (reason: string, waitMs: number): Refusal => ({
    code: 'overloaded',
    params: { limit: `${places} open requests${reason}` },
    retryAfter: Math.min(LONGEST_ADVICE_S, Math.max(1, Math.ceil(waitMs / 1_000))),
  })

  /** Undefined when the newcomer may wait; when the queue is full, the place of another is made free for it. */
  const refusalAtTheDoor = (user: number): Refusal | undefined => {
    if (patienceMs === 0) return busy('', 0)
    if (lines.size === 0) pace.start()
    const waitMs = pace.waitFor(lines.most(user))
    if (waitMs > patienceMs) return busy(`, and a turn would take ${Math.ceil(waitMs / 1_000)} s`, waitMs)
    if (lines.size < mostWaiting) return undefined
    const last = lines.lastOfLongest(user)
    if (last === undefined) return busy(` and ${mostWaiting} waiting ones`, waitMs)
    last.member.end(busy(` and ${mostWaiting} waiting ones`, waitMs))
    return undefined
  }

  const wait = (user: number, signal: AbortSignal) =>
    new Promise<Refusal | undefined>((resolve) => {
      const end = (refusal: Refusal | undefined) => {
        stopTimer()
        signal.removeEventListener('abort', onAbort)
        waiting.leave()
        resolve(refusal)
      }
      const onAbort = () => end({ code: 'shutting_down', retryAfter: 1 })
      const waiting: Waiting<Entry> = lines.add(user, { end })
      const stopTimer = after(patienceMs, () => {
        end(busy(`, and no turn came in ${patienceMs / 1_000} s`, pace.waitFor(lines.most(user))))
      })
      signal.addEventListener('abort', onAbort)
    })

  return {
    enter: (user, signal) => {
      if (running < places) {
        running += 1
        return undefined
      }
      return refusalAtTheDoor(user) ?? (signal.aborted ? { code: 'shutting_down', retryAfter: 1 } : wait(user, signal))
    },
    leave: () => {
      const next = lines.next()
      if (next === undefined) running -= 1
      else {
        pace.step()
        next.member.end(undefined)
      }
    },
    get running() {
      return running
    },
    get waiting() {
      return lines.size
    },
  }
}

interface Entry {
  /** Ends the wait: with the place of whoever left, or with a refusal. */
  readonly end: (refusal: Refusal | undefined) => void
}

/** Who was told to come back later than that would not believe it. */
const LONGEST_ADVICE_S = 60
