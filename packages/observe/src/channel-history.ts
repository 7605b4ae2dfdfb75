import type { CallCause } from '@sluice/routing/health'
import type { Database } from '@sluice/store/database'
import { addChannelCalls, type ChannelCalls, forgetOldCalls } from '@sluice/store/queries/channels/channel-history'

export interface ChannelHistory {
  /** Returns at once. Ignores calls that say nothing about their channel. */
  count(call: CountedCall): void
  /** Writes what is left. */
  close(): Promise<void>
}

/** A call or a test. `ended` in unix milliseconds. */
export interface CountedCall {
  readonly channel: number
  readonly cause: CallCause
  readonly ended: number
}

export interface ChannelHistoryDeps {
  readonly database: Pick<Database, 'kysely'>
  /** Calls back at this interval in milliseconds until the returned function is called. */
  readonly every: (ms: number, run: () => void) => () => void
  /** Unix milliseconds. */
  readonly now: () => number
  readonly onError: (error: unknown) => void
}

const WRITE_MS = 10_000
const FORGET_MS = 3_600_000
const SLOT_S = 300
/** Maximum slots between two writes: one or two per channel with calls, and more while the database is unreachable. */
const CAPACITY = 5_000

/** Collects calls in memory and adds them to the slots together, so that no call waits for the database. */
export function openChannelHistory({ database, every, now, onError }: ChannelHistoryDeps): ChannelHistory {
  let waiting = new Map<string, ChannelCalls>()
  let writing: Promise<void> = Promise.resolve()

  const add = ({ channelId, start, answered, failed }: ChannelCalls): void => {
    const key = `${channelId} ${start}`
    const known = waiting.get(key)
    if (known === undefined && waiting.size >= CAPACITY) return
    waiting.set(key, {
      channelId,
      start,
      answered: answered + (known?.answered ?? 0),
      failed: failed + (known?.failed ?? 0),
    })
  }
  const write = (): void => {
    if (waiting.size === 0) return
    const calls = [...waiting.values()]
    waiting = new Map()
    writing = writing
      .then(() => addChannelCalls(database.kysely, calls))
      .catch((error: unknown) => {
        onError(error)
        // Retried with the next ones. Some may already have been written: then they count twice, which hardly changes a share.
        for (const each of calls) add(each)
      })
  }
  const forget = (): void => {
    writing = writing.then(() => forgetOldCalls(database.kysely, Math.floor(now() / 1_000))).catch(onError)
  }
  const stops = [every(WRITE_MS, write), every(FORGET_MS, forget)]
  return {
    count: ({ channel, cause, ended }) => {
      const isAnswered = cause === 'answered'
      if (!isAnswered && cause !== 'provider' && cause !== 'account' && cause !== 'limited') return
      const second = Math.floor(ended / 1_000)
      const start = second - (second % SLOT_S)
      add({ channelId: channel, start, answered: isAnswered ? 1 : 0, failed: isAnswered ? 0 : 1 })
    },
    close: async () => {
      for (const stop of stops) stop()
      write()
      await writing
    },
  }
}
