import type { Timers } from '@sluice/ledger/timers'
import { RENEWED_MS } from '@sluice/store/queries/background-responses'
import type { Log } from '../../process/logger.ts'
import { SessionSlots } from '../caller/limits/session-slots.ts'
import type { BackgroundResponses } from './background-responses.ts'

/** Maximum concurrent background responses of one user in a process. All of them count as open requests. */
export const RUNS_OF_USER = 64

export interface BackgroundRuns {
  /** False if the user already has too many; otherwise the slot must be released with `giveBack`. */
  take(userId: number): boolean
  giveBack(userId: number): void
  /** `stop` is called when nobody wants the response any more. Call `remove` when it ends. */
  add(id: string, stop: () => void): void
  remove(id: string): void
  stop(id: string): void
  close(): void
}

export interface RunsDeps {
  readonly backgroundResponses: Pick<BackgroundResponses, 'renew'>
  readonly every: Timers['every']
  readonly log: Log
}

/** Periodically renews the responses running here, and stops those that were cancelled or deleted on another replica. */
export function createBackgroundRuns({ backgroundResponses, every, log }: RunsDeps): BackgroundRuns {
  const slots = new SessionSlots({ all: Infinity, perUser: RUNS_OF_USER })
  const running = new Map<string, () => void>()
  let isBusy = false
  const renew = async () => {
    if (isBusy || running.size === 0) return
    isBusy = true
    const ids = [...running.keys()]
    try {
      const wanted = new Set(await backgroundResponses.renew(ids))
      for (const id of ids) if (!wanted.has(id)) running.get(id)?.()
    } catch (error) {
      log.error({ error }, 'background responses could not be renewed')
    } finally {
      isBusy = false
    }
  }
  const close = every(RENEWED_MS, () => void renew())
  return {
    take: (userId) => slots.takeFor(userId),
    giveBack: (userId) => slots.giveBackFor(userId),
    add: (id, stop) => void running.set(id, stop),
    remove: (id) => void running.delete(id),
    stop: (id) => running.get(id)?.(),
    close,
  }
}
