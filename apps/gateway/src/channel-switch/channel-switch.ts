import type { VersionWatch } from '@sluice/coordination/snapshot-versions'
import type { Timers } from '@sluice/ledger/timers'
import type { CalledLane } from '@sluice/routing/called-lane'
import type { Options } from '@sluice/store/options'
import { addChannelMinutes, purgeChannelMinutes, sumChannelMinutes } from '@sluice/store/queries/channel-minutes'
import { findChannel } from '@sluice/store/queries/channels'
import type { Log } from '../logger.ts'
import { createCalledMinutes, isKeyRefused } from './called-minutes.ts'
import { verdictOfCalls, WINDOW_MINUTES } from './calls-verdict.ts'
import { readKeyedChannel, switchChannelOff, type SwitchDeps, switchRefusedKeyOff } from './switch-channel.ts'

export interface ChannelSwitchDeps extends SwitchDeps {
  readonly options: () => Pick<Options, 'AutomaticDisableChannelEnabled' | 'ChannelDisableThreshold'>
  /** Asked to look after a switch, so that this process serves it at once. */
  readonly versions: Pick<VersionWatch, 'check'>
  readonly timers: Pick<Timers, 'every'>
  readonly log: Pick<Log, 'error'>
}

/** Switches channels and keys off by the requests that are relayed through them. */
export interface ChannelSwitch {
  /** Returns at once. Counts nothing while `AutomaticDisableChannelEnabled` is off. */
  onCalled(call: CalledLane): void
  /** Writes what is left. */
  close(): Promise<void>
}

/** Calls are written together, at most this often. */
const WRITE_MS = 1_000
const MINUTE_MS = 60_000
/** So long after the log has told of a clock that differs it does not do so again. */
const QUIET_MS = 3_600_000
/** Refused keys that wait for their turn; another refusal of the same key comes soon. */
const REFUSED_MAX = 200
const BY_CALLS = 'its calls'

type Refused = Pick<CalledLane, 'channel' | 'key' | 'status'>

export function openChannelSwitch(deps: ChannelSwitchDeps): ChannelSwitch {
  const db = deps.database.kysely
  const minutes = createCalledMinutes()
  let refused = new Map<string, Refused>()
  let purged = 0
  let told = -Infinity

  /** Counts what waits, and answers the channels that had failures. */
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

  const judgeCalls = async (channel: number): Promise<boolean> => {
    const since = Math.floor(deps.now() / MINUTE_MS) - WINDOW_MINUTES + 1
    const reason = verdictOfCalls(await sumChannelMinutes(db, channel, since), deps.options().ChannelDisableThreshold)
    if (reason === undefined) return false
    const name = (await findChannel(db, channel))?.name ?? ''
    return await switchChannelOff(deps, { id: channel, name }, { by: BY_CALLS, reason })
  }

  const judgeKey = async ({ channel: id, key, status }: Refused): Promise<boolean> => {
    const channel = await readKeyedChannel(deps, id)
    if (channel === undefined) return false
    const reason = `the provider refuses its key or account (status ${status})`
    return await switchRefusedKeyOff(deps, channel, key, { by: BY_CALLS, reason })
  }

  const judgeKeys = async (): Promise<boolean> => {
    const waiting = refused
    refused = new Map()
    let isChanged = false
    try {
      for (const [name, each] of waiting) {
        isChanged = (await judgeKey(each)) || isChanged
        waiting.delete(name)
      }
    } finally {
      // What could not be looked at waits for the next round, unless the key was refused again.
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
    let isChanged = await judgeKeys()
    await purge()
    for (const channel of await writeCalls()) isChanged = (await judgeCalls(channel)) || isChanged
    if (isChanged) await deps.versions.check()
  }

  /** A clock that is wrong makes signatures and assertions that providers refuse; the keys are good, and stay on (class S45). */
  const tellOfClock = ({ channel, status }: CalledLane): void => {
    if (Math.abs(deps.now() - told) < QUIET_MS) return
    told = deps.now()
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
      // Nobody's: a test, which has a record of its own.
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
