import type { Database } from '@sluice/store/database'
import {
  hasWish,
  readReports,
  readWishes,
  removeWish,
  sweepRunningCalls,
  writeReport,
  writeWish,
} from '@sluice/store/queries/running-calls'
import { openSchedule } from '../schedule.ts'

/** Lets replicas of one database see and stop each other's calls. `Call` is plain data. */
export interface SharedRunning<Call> {
  /** Calls of the other replicas, as reported in the last few seconds. */
  others(): Promise<readonly Call[]>
  /** Makes another replica end a call. False if none did so in time. */
  stopElsewhere(id: string, userId: number | undefined): Promise<boolean>
  close(): void
}

export interface SharedRunningOptions<Call> {
  readonly database: Pick<Database, 'kysely' | 'engine'>
  readonly replica: string
  /** Number of processes that share the database, including this one. */
  readonly replicas: () => number
  readonly list: () => Promise<readonly Call[]>
  /** Ends a call of this process; false when it has no such call. */
  readonly stop: (id: string, userId: number | undefined) => Promise<boolean>
  /** Undefined for a value that is not a call: another version may have written it. */
  readonly read: (value: unknown) => Call | undefined
  readonly every: (ms: number, task: () => void) => () => void
  readonly pause: (ms: number) => Promise<unknown>
  readonly onError: (error: unknown) => void
}

/** How often a replica checks what the others have asked for, and so the longest delay of a stop requested elsewhere. */
const LOOK_MS = 1_000
/** A replica that watches a list renews its wish with each check. */
const LIST_LIFE_MS = 6_000
const STOP_LIFE_MS = 10_000
const REPORT_AGE_MS = 4_000
/** How long a first list waits for the others' reports, and a stop for the call's end. */
const PATIENCE_MS = 3_000
const POLL_MS = 100
/** Wishes served per check. */
const WISHES = 1_000
const SWEEP_LOOKS = 60
const ANYONE = 0

/**
 * On SQLite a process is alone, and on PostgreSQL a process that is alone runs no queries. Otherwise this costs a query per second,
 * and a row per second only while someone watches.
 */
export function openSharedRunning<Call>(options: SharedRunningOptions<Call>): SharedRunning<Call> {
  const { database, replica, replicas, read, onError } = options
  if (database.engine === 'sqlite') {
    return { others: () => Promise.resolve([]), stopElsewhere: () => Promise.resolve(false), close: () => {} }
  }
  let looks = 0
  let askedAt = -Infinity

  const serve = async (): Promise<void> => {
    const wishes = await readWishes(database, replica, WISHES)
    for (const { id, userId } of wishes.filter(({ id }) => id.startsWith(STOP))) {
      // oxlint-disable-next-line no-await-in-loop -- they are few, and each is removed once it is done
      const isStopped = await options.stop(id.slice(STOP.length), userId === ANYONE ? undefined : userId)
      // oxlint-disable-next-line no-await-in-loop -- see above
      if (isStopped) await removeWish(database, id)
    }
    if (wishes.some(({ id }) => id.startsWith(LIST))) {
      await writeReport(database, replica, JSON.stringify(await options.list()))
    }
    looks += 1
    if (looks % SWEEP_LOOKS === 0) await sweepRunningCalls(database)
  }
  const schedule = openSchedule({
    every: options.every,
    ms: LOOK_MS,
    look: async () => {
      if (replicas() > 1) await serve()
    },
    onError,
  })

  const reported = async (): Promise<readonly string[]> => {
    await writeWish(database, { id: `${LIST}${replica}`, replica, userId: ANYONE, lifeMs: LIST_LIFE_MS })
    const patience = performance.now() - askedAt > LIST_LIFE_MS ? PATIENCE_MS : 0
    askedAt = performance.now()
    let reports = await readReports(database, replica, REPORT_AGE_MS)
    for (let waited = 0; reports.length < replicas() - 1 && waited < patience; waited += POLL_MS) {
      // oxlint-disable-next-line no-await-in-loop -- waits for others
      await options.pause(POLL_MS)
      // oxlint-disable-next-line no-await-in-loop -- see above
      reports = await readReports(database, replica, REPORT_AGE_MS)
    }
    return reports
  }

  return {
    others: async () => {
      if (replicas() < 2) return []
      return (await reported()).flatMap((text) => callsIn(text, read))
    },
    stopElsewhere: async (id, userId) => {
      if (replicas() < 2) return false
      const wish = `${STOP}${id}`
      await writeWish(database, { id: wish, replica, userId: userId ?? ANYONE, lifeMs: STOP_LIFE_MS })
      for (let waited = 0; waited < PATIENCE_MS; waited += POLL_MS) {
        // oxlint-disable-next-line no-await-in-loop -- waits for another process
        await options.pause(POLL_MS)
        // oxlint-disable-next-line no-await-in-loop -- see above
        if (!(await hasWish(database, wish))) return true
      }
      await removeWish(database, wish)
      return false
    },
    close: () => void schedule.close(),
  }
}

const LIST = 'list '
const STOP = 'stop '

function callsIn<Call>(text: string, read: (value: unknown) => Call | undefined): readonly Call[] {
  const calls: unknown = JSON.parse(text)
  if (!Array.isArray(calls)) return []
  return calls.flatMap((each) => read(each) ?? [])
}
