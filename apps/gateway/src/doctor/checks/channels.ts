import type { Found } from '@sluice/contract/findings/catalogue'
import { parseModelMapping } from '@sluice/providers/model-mapping'
import { parseModelConfigs } from '@sluice/providers/prices/model-configs'
import { type ChannelSnapshot } from '@sluice/store/snapshots/channels'
import { CHANNEL_STATUS } from '@sluice/store/statuses'
import type { Vault } from '@sluice/store/vault'
import type { Check } from '../check.ts'
import { momentText } from '../in-words.ts'

export interface SwitchedOff {
  readonly reason: string
  /** Unix milliseconds. */
  readonly since: number
}

export interface ChannelFacts {
  readonly channels: () => Promise<readonly ChannelSnapshot[]>
  readonly switchedOff: () => Promise<ReadonlyMap<number, SwitchedOff>>
  readonly vault: Pick<Vault, 'open'>
  /** Sends one request through a channel and returns its error, or an empty text; absent when no provider may be called. */
  readonly test?: (channel: number, signal: AbortSignal) => Promise<string>
}

/** Enough for hundreds of channels that all answer. */
const TESTS_MS = 1_800_000

/** Finds channels that cannot serve: keys that no master key decrypts, channels that were switched off, unreadable settings. */
export function channelCheck({ channels, switchedOff, vault, test }: ChannelFacts): Check {
  return {
    name: 'channels',
    ...(test === undefined ? {} : { withinMs: TESTS_MS }),
    examine: async (signal) => {
      const [all, off] = await Promise.all([channels(), switchedOff()])
      if (all.length === 0) return [{ id: 'channels.none' }]
      const enabled = all.filter(({ status }) => status === CHANNEL_STATUS.enabled)
      const found = [
        ...(enabled.length === 0 ? [{ id: 'channels.all_off', params: { count: all.length } } as const] : []),
        ...all.flatMap((channel) => [
          ...keyOf(channel, vault),
          ...switchOf(channel, off.get(channel.id)),
          ...keysOf(channel),
          ...settingsOf(channel),
        ]),
        ...(test === undefined ? [] : await testsOf(enabled, test, signal)),
      ]
      const isWell = found.every(({ id }) => id === 'channels.tested')
      return isWell ? [{ id: 'channels.ok', params: { count: enabled.length } }, ...found] : found
    },
  }
}

function about({ id, name }: ChannelSnapshot, finding: Found['id'], params: Found['params'] = {}): readonly [Found] {
  return [{ id: finding, subject: name, params: { ...params, channel: id } }]
}

function keyOf(channel: ChannelSnapshot, vault: ChannelFacts['vault']): readonly Found[] {
  if (channel.keySealed === '' || channel.status === CHANNEL_STATUS.disabled) return []
  return vault.open('channel_key', channel.keySealed).ok ? [] : about(channel, 'channels.key')
}

function switchOf(channel: ChannelSnapshot, off: SwitchedOff | undefined): readonly Found[] {
  if (channel.status !== CHANNEL_STATUS.autoDisabled) return []
  const { reason = '', since = 0 } = off ?? {}
  return about(channel, 'channels.off', { reason, since: momentText(since) })
}

function keysOf(channel: ChannelSnapshot): readonly Found[] {
  const { keyCount: all, disabledKeys, status } = channel
  const off = disabledKeys.size
  if (status !== CHANNEL_STATUS.enabled || all < 2 || off * 2 < all) return []
  return about(channel, 'channels.keys_off', { off, all })
}

function settingsOf(channel: ChannelSnapshot): readonly Found[] {
  if (channel.status !== CHANNEL_STATUS.enabled) return []
  for (const read of [parseModelMapping(channel.modelMapping), parseModelConfigs(channel.modelConfigs)]) {
    if ('problem' in read) return about(channel, 'channels.settings', { reason: read.problem })
  }
  return []
}

async function testsOf(
  enabled: readonly ChannelSnapshot[],
  test: NonNullable<ChannelFacts['test']>,
  signal: AbortSignal,
): Promise<readonly Found[]> {
  const found: Found[] = []
  let passed = 0
  // Tested one after the other, as by the gateway, because providers limit concurrent requests.
  for (const channel of enabled) {
    if (signal.aborted) break
    const reason = await test(channel.id, signal)
    if (reason === '') passed += 1
    else found.push(...about(channel, 'channels.test_failed', { reason }))
  }
  return passed === 0 ? found : [{ id: 'channels.tested', params: { count: passed } }, ...found]
}
