import { CHANNEL_STATUS } from '@sluice/contract/channel'
import { CLOCKS_DIFFER_MS } from '@sluice/store/clocks'
import { listKeysOffAutomatically, listSwitchedOffKeys } from '@sluice/store/queries/channels/channel-keys'
import { type ChannelTarget, listChannelTargets } from '@sluice/store/queries/channels/channel-results'
import { type KeyedChannel, readKeyedChannel, type SwitchDeps } from '../../../channel-switch/switch-channel.ts'

/**
 * The targets of a test of many channels. all → every channel · disabled → those that are off · enabled → those that are on ·
 * recovery → those that the gateway switched off. All but `enabled` also cover the keys that the gateway switched off.
 */
export type TestScope = 'all' | 'disabled' | 'enabled' | 'recovery'

const STATUSES: Readonly<Record<TestScope, readonly number[]>> = {
  all: [1, 2, 3],
  disabled: [2, 3],
  enabled: [1],
  recovery: [3],
}

export type TestedChannel = Pick<ChannelTarget, 'id' | 'name' | 'status' | 'models' | 'testingModel'>

export interface TestTarget {
  readonly id: number
  readonly name: string
  readonly channel: TestedChannel
  /** Undefined for a channel with one key, and when its keys cannot be read: the test will report that. */
  readonly key: TestedKey | undefined
}

export interface TestedKey {
  readonly of: KeyedChannel
  readonly fingerprint: string
  /** The gateway has switched this key off: the test is about the key, not the channel. */
  readonly isOff: boolean
}

/** A single channel, called with the first of its keys that is on; undefined if it has several and all are off. */
export async function targetOf(
  deps: SwitchDeps,
  channel: TestedChannel & Pick<ChannelTarget, 'keyCount'>,
): Promise<TestTarget | undefined> {
  const { id, name } = channel
  const whole: TestTarget = { id, name, channel, key: undefined }
  const of = channel.keyCount === 0 ? undefined : await readKeyedChannel(deps, id)
  if (of === undefined) return whole
  const off = new Set((await listSwitchedOffKeys(deps.database.kysely, id)).map((key) => key.fingerprint))
  const fingerprint = of.fingerprints.find((key) => !off.has(key))
  return fingerprint === undefined ? undefined : { ...whole, key: { of, fingerprint, isOff: false } }
}

/** A channel that is disabled again and again gets up to 64 times as long to recover. */
const DOUBLINGS_MAX = 6

/**
 * Channels before keys. Leaves out those that the gateway switched off less than `recoveryMs` ago; for a channel, that time doubles
 * each time it is switched off.
 */
export async function listTestTargets(
  deps: SwitchDeps,
  scope: TestScope,
  recoveryMs = 0,
): Promise<readonly TestTarget[]> {
  const db = deps.database.kysely
  const now = deps.now()
  const hadTime = (since: number, ms: number) => since <= now - ms || since > now + CLOCKS_DIFFER_MS
  const channels = await listChannelTargets(db, {})
  const tested = channels.filter(
    ({ status, disabledMs, disabledTimes }) =>
      STATUSES[scope].includes(status) && hadTime(disabledMs, recoveryMs * 2 ** doublings(disabledTimes)),
  )
  const targets: TestTarget[] = []
  for (const channel of tested) {
    const target = await targetOf(deps, channel)
    if (target !== undefined) targets.push(target)
  }
  if (scope === 'enabled') return targets
  const off = Map.groupBy(await listKeysOffAutomatically(db), (key) => key.channel)
  for (const channel of channels) {
    const keys = off.get(channel.id)?.filter(({ sinceMs }) => hadTime(sinceMs, recoveryMs)) ?? []
    if (keys.length === 0 || channel.status === CHANNEL_STATUS.disabled) continue
    const of = await readKeyedChannel(deps, channel.id)
    if (of === undefined) continue
    const { id, name } = channel
    const known = keys.filter(({ fingerprint }) => of.fingerprints.includes(fingerprint))
    targets.push(...known.map(({ fingerprint }) => ({ id, name, channel, key: { of, fingerprint, isOff: true } })))
  }
  return targets
}

const doublings = (times: number): number => Math.min(Math.max(0, times - 1), DOUBLINGS_MAX)
