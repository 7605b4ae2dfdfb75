import type { Refusal } from '@sluice/contract/errors'
import { endedRefusal } from '../../stages/call-stopped.ts'
import { createPace } from './pace.ts'
import { createWaitingLines, type Waiting } from './waiting-lines.ts'

/**
 * Slots for open requests, and a queue for the others: in turn between users, first come first served for each user. A request that
 * would wait too long is refused at once, with a time to retry.
 */
export interface FairQueue {
  /**
   * Takes a slot for a request of this user, at once or in turn. Returns a refusal, and takes no slot, when the queue is full, when
   * the wait would be or was too long, or when `signal` aborts.
   */
  enter(user: number, signal: AbortSignal): undefined | Refusal | Promise<Refusal | undefined>
  /** Releases one slot and passes it to the next in turn. Call it once for each slot taken. */
  readonly leave: () => void
  readonly running: number
  readonly waiting: number
}

export interface FairQueueOptions {
  readonly slots: number
  /** Beyond this number, the last request of the user with the most waiting requests is dropped, if that is another user. */
  readonly mostWaiting: number
  /** Maximum milliseconds that a request may wait; 0 means that none may wait. */
  readonly patienceMs: number
  /** Milliseconds from any start. */
  readonly now: () => number
  /** Calls `task` once after `ms`; returns a function that cancels it. */
  readonly after: (ms: number, task: () => void) => () => void
}

export function createFairQueue({ slots, mostWaiting, patienceMs, now, after }: FairQueueOptions): FairQueue {
  const lines = createWaitingLines<Entry>()
  const pace = createPace(now)
  let running = 0

  const busy = (reason: string, waitMs: number): Refusal => ({
    code: 'overloaded',
    params: { limit: `${slots} open requests${reason}` },
    retryAfter: Math.min(LONGEST_ADVICE_S, Math.max(1, Math.ceil(waitMs / 1_000))),
  })

  /** Undefined when the newcomer may wait; if the queue is full, another request is dropped to make room. */
  const refusalAtTheDoor = (user: number): Refusal | undefined => {
    if (patienceMs === 0) return busy('', 0)
    if (lines.size === 0) pace.start()
    const waitMs = pace.waitFor(lines.most(user))
    if (waitMs > patienceMs) return busy(`, and the wait for a slot would be ${Math.ceil(waitMs / 1_000)} s`, waitMs)
    if (lines.size < mostWaiting) return undefined
    const last = lines.lastOfLongest(user)
    if (last === undefined) return busy(` and ${mostWaiting} waiting requests`, waitMs)
    last.member.end(busy(` and ${mostWaiting} waiting requests`, waitMs))
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
      const onAbort = () => end(endedRefusal(signal))
      const waiting: Waiting<Entry> = lines.add(user, { end })
      const stopTimer = after(patienceMs, () => {
        end(busy(`, and no slot became free within ${patienceMs / 1_000} s`, pace.waitFor(lines.most(user))))
      })
      signal.addEventListener('abort', onAbort)
    })

  return {
    enter: (user, signal) => {
      if (running < slots) {
        running += 1
        return undefined
      }
      return refusalAtTheDoor(user) ?? (signal.aborted ? endedRefusal(signal) : wait(user, signal))
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
  readonly end: (refusal: Refusal | undefined) => void
}

/** Clients would ignore a longer wait. */
const LONGEST_ADVICE_S = 60
