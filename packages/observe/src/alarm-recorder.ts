import type { Database } from '@sluice/store/database'
import { type AlarmReport, reportAlarms } from '@sluice/store/queries/ledger/alarms'

/** What happened, and to what. */
export interface AlarmEvent {
  readonly kind: string
  readonly subject: string
  /** 0 when it does not concern a channel. */
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
/** Different alarms between two writes; further ones are recorded when they happen again. */
const CAPACITY = 200

/** Collects alarms in memory and writes them together, so that what raises them never waits for the database. */
export function openAlarmRecorder({ database, every, now, onError }: AlarmRecorderDeps): AlarmRecorder {
  let waiting = new Map<string, AlarmReport>()
  let writing: Promise<void> = Promise.resolve()

  const write = (): void => {
    if (waiting.size === 0) return
    const reports = [...waiting.values()]
    waiting = new Map()
    writing = writing.then(() => reportAlarms(database.kysely, reports)).catch(onError)
  }
  const stop = every(WRITE_MS, write)
  return {
    raise: ({ kind, subject, channelId }) => {
      const key = `${channelId}:${kind}:${subject}`
      const known = waiting.get(key)
      if (known === undefined && waiting.size >= CAPACITY) return
      const at = now()
      const firstSeen = known?.firstSeen ?? at
      const occurrences = (known?.occurrences ?? 0) + 1
      waiting.set(key, { kind, subject, channelId, occurrences, firstSeen, lastSeen: at })
    },
    close: async () => {
      stop()
      write()
      await writing
    },
  }
}
