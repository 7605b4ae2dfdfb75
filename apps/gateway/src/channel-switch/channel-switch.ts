import type { VersionWatch } from '@sluice/coordination/snapshot-versions'
import type { Timers } from '@sluice/ledger/timers'
import type { CalledLane } from '@sluice/routing/lane'
import type { Options } from '@sluice/store/options/options'
import {
  addChannelMinutes,
  purgeChannelMinutes,
  sumChannelMinutes,
} from '@sluice/store/queries/channels/channel-minutes'
import { findChannel } from '@sluice/store/queries/channels/channels'
import type { Log } from '../process/logger.ts'
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

/** Calls are written together, at most this often. */
const WRITE_MS = 1_000
const MINUTE_MS = 60_000
/** A differing clock is logged again only after this long. */
const QUIET_MS = 3_600_000
/** Refused keys that wait for their turn; further ones are dropped, because they will soon be refused again. */
const REFUSED_MAX = 200
const BY_CALLS = 'its calls'

type Refused = Pick<CalledLane, 'channel' | 'key' | 'status'>

export function openChannelSwitch(deps: ChannelSwitchDeps): ChannelSwitch {
  return new ChannelSwitch(deps)
}

/** Switches channels and keys off by the results of relayed requests. */
export class ChannelSwitch {
  readonly #deps: ChannelSwitchDeps
  readonly #db: ChannelSwitchDeps['database']['kysely']
  readonly #minutes = createCalledMinutes()
  readonly #stop: () => void
  #refused = new Map<string, Refused>()
  #purged = 0
  #warnedAt = -Infinity
  #working: Promise<void> | undefined

  constructor(deps: ChannelSwitchDeps) {
    this.#deps = deps
    this.#db = deps.database.kysely
    this.#stop = deps.timers.every(WRITE_MS, () => this.#write())
  }

  /** Returns at once. Counts nothing while `AutomaticDisableChannelEnabled` is off. */
  onCalled(call: CalledLane): void {
    // User 0 stands for a test; tests keep their own record.
    if (call.user === 0 || !this.#deps.options().AutomaticDisableChannelEnabled) return
    if (call.cause === 'account' && call.clocksDiffer === true) return this.#tellOfClock(call)
    if (isKeyRefused(call)) {
      const { channel, key, status } = call
      if (this.#refused.size < REFUSED_MAX) this.#refused.set(`${channel}/${key}`, { channel, key, status })
    } else {
      this.#minutes.add(call, this.#deps.now())
    }
  }

  /** When this machine's clock is wrong, providers refuse its signatures. The keys are good and stay on (class S45). */
  #tellOfClock({ channel, status }: CalledLane): void {
    if (Math.abs(this.#deps.now() - this.#warnedAt) < QUIET_MS) return
    this.#warnedAt = this.#deps.now()
    this.#deps.log.error(
      { channel, status },
      'a provider refuses a key because its clock and ours differ by minutes: set the clock',
    )
  }

  #write(): void {
    this.#working ??= this.#work()
      .catch((error: unknown) => this.#deps.log.error({ error }, 'the calls of channels could not be evaluated'))
      .finally(() => {
        this.#working = undefined
      })
  }

  async #work(): Promise<void> {
    let isChanged = await this.#checkKeys()
    await this.#purge()
    for (const channel of await this.#writeCalls()) isChanged = (await this.#checkCalls(channel)) || isChanged
    if (isChanged) await this.#deps.versions.check()
  }

  async #checkKeys(): Promise<boolean> {
    const waiting = this.#refused
    this.#refused = new Map()
    let isChanged = false
    try {
      for (const [name, each] of waiting) {
        isChanged = (await this.#checkKey(each)) || isChanged
        waiting.delete(name)
      }
    } finally {
      // Keys that could not be checked wait for the next round, unless they were refused again.
      for (const [name, each] of waiting) if (!this.#refused.has(name)) this.#refused.set(name, each)
    }
    return isChanged
  }

  async #checkKey({ channel: id, key, status }: Refused): Promise<boolean> {
    const channel = await readKeyedChannel(this.#deps, id)
    if (channel === undefined) return false
    const reason = `the provider refuses its key or account (status ${status})`
    return await switchRefusedKeyOff(this.#deps, channel, key, { by: BY_CALLS, reason })
  }

  async #purge(): Promise<void> {
    const minute = Math.floor(this.#deps.now() / MINUTE_MS)
    if (Math.abs(minute - this.#purged) < WINDOW_MINUTES) return
    this.#purged = minute
    await purgeChannelMinutes(this.#db, minute - WINDOW_MINUTES, minute)
  }

  /** Writes the counted calls, and returns the channels that had failures. */
  async #writeCalls(): Promise<ReadonlySet<number>> {
    const taken = this.#minutes.take()
    if (taken.length === 0) return new Set()
    try {
      await addChannelMinutes(this.#db, taken)
    } catch (error) {
      this.#minutes.putBack(taken)
      throw error
    }
    return new Set(taken.filter(({ failed }) => failed > 0).map(({ channel }) => channel))
  }

  async #checkCalls(channel: number): Promise<boolean> {
    const since = Math.floor(this.#deps.now() / MINUTE_MS) - WINDOW_MINUTES + 1
    const reason = reasonToSwitchOff(
      await sumChannelMinutes(this.#db, channel, since),
      this.#deps.options().ChannelDisableThreshold,
    )
    if (reason === undefined) return false
    const name = (await findChannel(this.#db, channel))?.name ?? ''
    return await switchChannelOff(this.#deps, { id: channel, name }, { by: BY_CALLS, reason })
  }

  async close(): Promise<void> {
    this.#stop()
    await this.#working
    this.#write()
    await this.#working
  }
}
