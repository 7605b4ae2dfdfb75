import { createHash } from 'node:crypto'
import type { VersionWatch } from '@sluice/coordination/snapshot-versions'
import type { Timers } from '@sluice/ledger/timers'
import type { CalledLane } from '@sluice/routing/called-lane'
import { keyFingerprint } from '@sluice/routing/key-fingerprint'
import type { Options } from '@sluice/store/options'
import { listSwitchedOffKeys, switchKeyOff } from '@sluice/store/queries/channel-keys'
import { addChannelMinutes, purgeChannelMinutes, sumChannelMinutes } from '@sluice/store/queries/channel-minutes'
import { findChannel, setChannelStatus } from '@sluice/store/queries/channels'
import { readKeys } from '@sluice/store/snapshots/key-list'
import type { Vault } from '@sluice/store/vault'
import type { Log } from '../logger.ts'
import { createCalledMinutes, isKeyRefused } from './called-minutes.ts'
import { verdictOfCalls, WINDOW_MINUTES } from './calls-verdict.ts'
import { tellSwitch, type TellSwitchDeps } from './tell-switch.ts'

export interface ChannelSwitchDeps extends TellSwitchDeps {
  readonly vault: Pick<Vault, 'open'>
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
/** Refused keys that wait for their turn; another refusal of the same key comes soon. */
const REFUSED_MAX = 200
const ENABLED = 1
const AUTO_DISABLED = 3

type Refused = Pick<CalledLane, 'channel' | 'key' | 'status'>

export function openChannelSwitch(deps: ChannelSwitchDeps): ChannelSwitch {
  const db = deps.database.kysely
  const minutes = createCalledMinutes()
  let refused = new Map<string, Refused>()
  let purged = 0

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
    return await switchChannelOff(channel, reason)
  }

  /** False when somebody else has switched it since. */
  const switchChannelOff = async (id: number, reason: string, keySealed?: string): Promise<boolean> => {
    if (!(await setChannelStatus(db, id, AUTO_DISABLED, ENABLED, keySealed))) return false
    const name = (await findChannel(db, id))?.name ?? ''
    await tellSwitch(deps, { channel: { id, name }, became: 'disabled', by: 'its calls', reason })
    return true
  }

  /** Switches off a key that its provider refuses, and the channel when it was the last one. */
  const judgeKey = async ({ channel: id, key: fingerprint, status }: Refused): Promise<boolean> => {
    const stored = await findChannel(db, id)
    const opened = stored === undefined ? undefined : deps.vault.open('channel_key', stored.keySealed)
    if (stored === undefined || opened?.ok !== true) return false
    const keys = (readKeys(opened.text, stored.keyCount) ?? []).map((key) => keyFingerprint(key, sha256))
    const position = keys.indexOf(fingerprint) + 1
    // The key has been replaced while its last calls were under way.
    if (position === 0) return false
    const { name, keyCount, keySealed } = stored
    const reason = `the provider refuses its key or account (status ${status})`
    if (keyCount === 0) return await switchChannelOff(id, reason, keySealed)
    const off = { keySealed, status: AUTO_DISABLED, reason, sinceMs: deps.now() } as const
    const isChanged = await switchKeyOff(db, { channel: id, fingerprint }, off)
    if (isChanged) {
      await tellSwitch(deps, { channel: { id, name }, key: position, became: 'disabled', by: 'its calls', reason })
    }
    const dark = new Set((await listSwitchedOffKeys(db, id)).map((each) => each.fingerprint))
    if (keys.some((key) => !dark.has(key))) return isChanged
    return (await switchChannelOff(id, 'none of its keys is left', keySealed)) || isChanged
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
    if (minute < purged + WINDOW_MINUTES) return
    purged = minute
    await purgeChannelMinutes(db, minute - WINDOW_MINUTES)
  }

  const work = async (): Promise<void> => {
    let isChanged = await judgeKeys()
    for (const channel of await writeCalls()) isChanged = (await judgeCalls(channel)) || isChanged
    await purge()
    if (isChanged) await deps.versions.check()
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

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
