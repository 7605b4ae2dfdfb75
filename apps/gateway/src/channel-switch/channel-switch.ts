import type { VersionWatch } from '@sluice/coordination/snapshot-versions'
import type { Timers } from '@sluice/ledger/timers'
import type { CalledLane } from '@sluice/routing/called-lane'
import type { Options } from '@sluice/store/options/options'
import {
  addChannelMinutes,
  purgeChannelMinutes,
  sumChannelMinutes,
} from '@sluice/store/queries/channels/channel-minutes'
import { findChannel } from '@sluice/store/queries/channels/channels'
import type { Log } from '../logger.ts'
import { createCalledMinutes, isKeyRefused } from './called-minutes.ts'
import { reasonToSwitchOff, WINDOW_MINUTES } from './reason-to-switch-off.ts'
import { readKeyedChannel, switchChannelOff, type SwitchDeps, switchRefusedKeyOff } from './switch-channel.ts'

export interface ChannelSwitchDeps extends SwitchDeps {
  readonly options: () => Pick<Options, 'AutomaticDisableChannelEnabled' | 'ChannelDisableThreshold'>
  /** Checked after a switch, so that this process applies it at once. */
  readonly versions: Pick<VersionWatch, 'check'>
  readonly timers: Pick<Timers, 'every'>
  readonly log: Pick<Log, 'error'>
}

/** Switches channels and keys off by the outcome of the requests that are relayed through them. */
export interface ChannelSwitch {
  /** Returns at once. Counts nothing while `AutomaticDisableChannelEnabled` is off. */
  onCalled(call: CalledLane): void
  /** Writes what is left. */
  close(): Promise<void>
}

/** Calls are written together, at most this often. */
const WRITE_MS = 1_000
const MINUTE_MS = 60_000
/** A clock that differs is logged again only after this long. */
const QUIET_MS = 3_600_000
/** Refused keys that wait for their turn; one beyond this many will soon be refused again. */
const REFUSED_MAX = 200
const BY_CALLS = 'its calls'

type Refused = Pick<CalledLane, 'channel' | 'key' | 'status'>

export function openChannelSwitch(deps: ChannelSwitchDeps): ChannelSwitch {
  const db = deps.database.kysely
  const minutes = createCalledMinutes()
  let refused = new Map<string, Refused>()
  let purged = 0
  let warnedAt = -Infinity

  /** Writes the counted calls, and returns the channels that had failures. */
  const writeCalls = async (): Promise<ReadonlySet<number>> => {
    const taken = minutes.take()
    if (taken.length === 0) return new Set()
    try {
      await addChannelMinutes(db, taken)
    } catch (error) {
      minutes.putBack(taken)
      throw error
    }
    return new Set(taken.filter(({ failed }) => failed > 0).map(({ channel }) => channel))
  }

  const checkCalls = async (channel: number): Promise<boolean> => {
    const since = Math.floor(deps.now() / MINUTE_MS) - WINDOW_MINUTES + 1
    const reason = reasonToSwitchOff(
      await sumChannelMinutes(db, channel, since),
      deps.options().ChannelDisableThreshold,
    )
    if (reason === undefined) return false
    const name = (await findChannel(db, channel))?.name ?? ''
    return await switchChannelOff(deps, { id: channel, name }, { by: BY_CALLS, reason })
  }

  const checkKey = async ({ channel: id, key, status }: Refused): Promise<boolean> => {
    const channel = await readKeyedChannel(deps, id)
    if (channel === undefined) return false
    const reason = `the provider refuses its key or account (status ${status})`
    return await switchRefusedKeyOff(deps, channel, key, { by: BY_CALLS, reason })
  }

  const checkKeys = async (): Promise<boolean> => {
    const waiting = refused
    refused = new Map()
    let isChanged = false
    try {
      for (const [name, each] of waiting) {
        isChanged = (await checkKey(each)) || isChanged
        waiting.delete(name)
      }
    } finally {
      // Keys that could not be checked wait for the next round, unless they were refused again.
      for (const [name, each] of waiting) if (!refused.has(name)) refused.set(name, each)
    }
    return isChanged
  }

  const purge = async (): Promise<void> => {
    const minute = Math.floor(deps.now() / MINUTE_MS)
    if (Math.abs(minute - purged) < WINDOW_MINUTES) return
    purged = minute
    await purgeChannelMinutes(db, minute - WINDOW_MINUTES, minute)
  }

  const work = async (): Promise<void> => {
    let isChanged = await checkKeys()
    await purge()
    for (const channel of await writeCalls()) isChanged = (await checkCalls(channel)) || isChanged
    if (isChanged) await deps.versions.check()
  }

  /** When our clock is wrong, providers refuse what was signed with it; the keys are good, and stay on (class S45). */
  const tellOfClock = ({ channel, status }: CalledLane): void => {
    if (Math.abs(deps.now() - warnedAt) < QUIET_MS) return
    warnedAt = deps.now()
    deps.log.error(
      { channel, status },
      'a provider whose clock differs from ours by minutes refuses a key: set the clock',
    )
  }

  let working: Promise<void> | undefined
  const write = (): void => {
    working ??= work()
      .catch((error: unknown) => deps.log.error({ error }, 'channels could not be judged by their calls'))
      .finally(() => {
        working = undefined
      })
  }
  const stop = deps.timers.every(WRITE_MS, write)
  return {
    onCalled: (call) => {
      // User 0 is a test, which has a record of its own.
      if (call.user === 0 || !deps.options().AutomaticDisableChannelEnabled) return
      if (call.cause === 'account' && call.clocksDiffer === true) return tellOfClock(call)
      if (isKeyRefused(call)) {
        const { channel, key, status } = call
        if (refused.size < REFUSED_MAX) refused.set(`${channel}/${key}`, { channel, key, status })
      } else {
        minutes.add(call, deps.now())
      }
    },
    close: async () => {
      stop()
      await working
      write()
      await working
    },
  }
}
