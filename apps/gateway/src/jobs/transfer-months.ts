import { openSchedule, type Schedule } from '@sluice/coordination/schedule'
import type { Timers } from '@sluice/ledger/timers'
import type { Database } from '@sluice/store/database'
import { addTransferMonths } from '@sluice/store/postgres/transfer-months'
import type { Log } from '../process/logger.ts'

/** Months are added two months ahead, so many attempts can fail. */
const LOOK_MS = 6 * 3_600_000

/** Adds months to the table of transfers: at once, then every six hours. SQLite has no months to add. */
export function openTransferMonths(parts: {
  readonly database: Database
  readonly timers: Pick<Timers, 'every'>
  /** Unix milliseconds. */
  readonly now: () => number
  readonly log: Pick<Log, 'info' | 'warn'>
}): Pick<Schedule, 'looked' | 'close'> {
  const { database, timers, now, log } = parts
  if (database.engine === 'sqlite') return { looked: async () => {}, close: async () => {} }
  const schedule = openSchedule({
    every: (ms, task) => timers.every(ms, task),
    ms: LOOK_MS,
    look: async () => {
      const added = await addTransferMonths(database.kysely, now())
      if (added.length > 0) log.info({ tables: added }, 'months were added to the table of transfers')
    },
    onError: (error) =>
      log.warn({ error }, 'months could not be added to the table of transfers; this will be retried'),
  })
  void schedule.look()
  return schedule
}
