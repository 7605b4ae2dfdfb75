import type { Database } from '@sluice/store/database'
import { type AlarmReport, reportAlarms } from '@sluice/store/queries/ledger/alarms'

export interface AlarmEvent {
  readonly kind: string
  readonly subject: string
  /** 0 if the alarm does not concern a channel. */
  readonly channelId: number
}

export interface AlarmRecorder {
  /** Returns at once: one look-up in a map. */
  raise(event: AlarmEvent): void
  /** Writes what is left. */
  close(): Promise<void>
}

export interface AlarmRecorderDeps {
  readonly database: Pick<Database, 'kysely'>
  /** Calls back at this interval in milliseconds until the returned function is called. */
  readonly every: (ms: number, run: () => void) => () => void
  /** Unix milliseconds. */
  readonly now: () => number
  readonly onError: (error: unknown) => void
}

const WRITE_MS = 5_000
/** Maximum different alarms between two writes; further ones are recorded when they happen again. */
const CAPACITY = 200

/** Collects alarms in memory and writes them together, so that raising one never waits for the database. */
export function openAlarmRecorder({ database, every, now, onError }: AlarmRecorderDeps): AlarmRecorder {
  let waiting = new Map<string, AlarmReport>()
  let writing: Promise<void> = Promise.resolve()

  const add = (report: AlarmReport): void => {
    const key = `${report.channelId}:${report.kind}:${report.subject}`
    const known = waiting.get(key)
    if (known === undefined && waiting.size >= CAPACITY) return
    waiting.set(key, {
      ...report,
      occurrences: report.occurrences + (known?.occurrences ?? 0),
      firstSeen: Math.min(report.firstSeen, known?.firstSeen ?? Infinity),
      lastSeen: Math.max(report.lastSeen, known?.lastSeen ?? 0),
    })
  }
  const write = (): void => {
    if (waiting.size === 0) return
    const reports = [...waiting.values()]
    waiting = new Map()
    writing = writing
      .then(() => reportAlarms(database.kysely, reports))
      .catch((error: unknown) => {
        onError(error)
        // Retried with the next ones, because an alarm that was raised once may never happen again.
        for (const report of reports) add(report)
      })
  }
  const stop = every(WRITE_MS, write)
  return {
    raise: (alarm) => {
      const at = now()
      add({ ...alarm, occurrences: 1, firstSeen: at, lastSeen: at })
    },
    close: async () => {
      stop()
      write()
      await writing
    },
  }
}
