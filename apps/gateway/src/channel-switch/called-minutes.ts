import type { CalledLane } from '@sluice/routing/lane'
import { type ChannelMinute, SEVERAL } from '@sluice/store/queries/channels/channel-minutes'

const MINUTE_MS = 60_000
/** Users whose failures are counted separately in one minute; those of further users count only in the sum. */
const USERS_MAX = 64
/** Minutes kept while the database is unavailable; beyond this many, the oldest are dropped. */
const WAITING_MAX = 2_000

/** Whether a provider refused the key itself. A 403 can be about the request (moderation, a region), so it is only a failure. */
export function isKeyRefused({ cause, status }: Pick<CalledLane, 'cause' | 'status'>): boolean {
  return cause === 'account' && status !== 403
}

/** Whether a call counts for or against its channel. Faulty, rate-limited and user-stopped requests do not. */
export function countOfCall(call: Pick<CalledLane, 'cause' | 'status'>): 'passed' | 'failed' | undefined {
  if (call.cause === 'answered') return 'passed'
  if (call.cause === 'provider') return 'failed'
  return call.cause === 'account' && !isKeyRefused(call) ? 'failed' : undefined
}

/** Counted calls, by channel and minute, until they are written. */
export interface CalledMinutes {
  /** Returns at once: one map look-up. `now` is unix milliseconds. */
  add(call: CalledLane, now: number): void
  take(): readonly ChannelMinute[]
  putBack(minutes: readonly ChannelMinute[]): void
}

interface Cell extends ChannelMinute {
  calls: number
  failed: number
  caller: number
  readonly failedOf: Map<number, number>
}

export function createCalledMinutes(): CalledMinutes {
  let cells = new Map<string, Cell>()

  const cellOf = (channel: number, minute: number, caller: number): Cell => {
    const name = `${channel}/${minute}`
    const known = cells.get(name)
    if (known !== undefined) {
      if (known.caller !== caller) known.caller = SEVERAL
      return known
    }
    if (cells.size >= WAITING_MAX) cells.delete(cells.keys().next().value ?? '')
    const made: Cell = { channel, minute, calls: 0, failed: 0, caller, failedOf: new Map() }
    cells.set(name, made)
    return made
  }
  const blame = ({ failedOf }: Cell, user: number, failed: number): void => {
    const known = failedOf.get(user)
    if (known !== undefined || failedOf.size < USERS_MAX) failedOf.set(user, (known ?? 0) + failed)
  }

  return {
    add: (call, now) => {
      const count = countOfCall(call)
      if (count === undefined) return
      const cell = cellOf(call.channel, Math.floor(now / MINUTE_MS), call.user)
      cell.calls += 1
      if (count === 'passed') return
      cell.failed += 1
      blame(cell, call.user, 1)
    },
    take: () => {
      const taken = [...cells.values()]
      cells = new Map()
      return taken
    },
    putBack: (minutes) => {
      for (const { channel, minute, calls, failed, caller, failedOf } of minutes) {
        const cell = cellOf(channel, minute, caller)
        cell.calls += calls
        cell.failed += failed
        for (const [user, count] of failedOf) blame(cell, user, count)
      }
    },
  }
}
