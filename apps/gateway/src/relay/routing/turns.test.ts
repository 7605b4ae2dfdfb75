import { createHealth } from '@sluice/routing/lane-health'
import type { ChannelSnapshot } from '@sluice/store/snapshots/channels'
import { channelSnapshot } from '@sluice/testkit/channel-snapshot'
import { describe, expect, test } from 'vitest'
import { SentCredential, StoredCredential } from '../stages/caller-credential.ts'
import type { OwnKey, OwnKeys } from '../stages/identity.ts'
import type { Plannable } from './choice.ts'
import { look } from './plan.ts'
import { createRoutingTable } from './routing-table.ts'

const NOW = 1_000_000
const PRICES = JSON.stringify({ m: { ratio: 1 }, n: { ratio: 1 } })

/** A channel of a vendor (1: OpenAI, 14: Anthropic), at its own address. */
function vendorChannel(id: number, config: object, more: Partial<ChannelSnapshot> = {}): ChannelSnapshot {
  return channelSnapshot(id, { type: 1, baseUrl: '', config: JSON.stringify(config), modelConfigs: PRICES, ...more })
}
const CALLER = { credentials: 'caller', caller_ratio: '0.5' }
const EITHER = { credentials: 'caller_or_own' }

function own(vendor: string, fallsBack: boolean, key = `key-of-${vendor}`): [string, OwnKey] {
  return [vendor, { credential: new StoredCredential(key, { vendor, fallsBack }), fallsBack }]
}

interface Asked extends Partial<Plannable['identity']> {
  readonly fallbacks?: Readonly<Record<string, readonly string[]>>
  readonly RetryTimes?: number
  readonly failing?: boolean
}

function looked(channels: readonly ChannelSnapshot[], { fallbacks = {}, RetryTimes = 2, failing, ...more }: Asked) {
  const { table } = createRoutingTable(channels, (sealed) => sealed)
  const health = createHealth({ capacity: 1_000, random: () => 0.5 })
  if (failing) health.adopt({ channel: 1, key: 'caller', model: 'm', cause: 'failing', until: NOW + 60_000 })
  const options = {
    RetryTimes,
    UnpricedModelPolicy: 'refuse',
    UnpricedModelRatio: 30,
    ModelFallbacks: new Map(Object.entries(fallbacks)),
    Groups: { byName: new Map(), auto: [] },
  } as const
  const deps = {
    routing: () => table,
    options: () => options,
    health,
    random: () => 0.5,
    now: () => NOW,
    onUnpriced: () => {},
  }
  const identity = { group: 'default', groups: undefined, pinnedChannel: undefined, models: undefined, tokenId: 1 }
  return look(deps, {
    identity: { ...identity, ...more },
    accepted: { received: NOW, headers: {} },
    parsed: { model: 'm', path: '/v1/chat/completions', conversation: { dialect: 'openai-chat' } },
    kind: { endpoint: 'chat_completions', path: '/v1/chat/completions' },
  })
}

/** Channel, `own` or `platform`, and ratio, in the order in which they are tried; or the refusal's code. */
function order(...given: Parameters<typeof looked>) {
  const { chosen, refusal } = looked(...given)
  return refusal?.code ?? (chosen?.candidates ?? []).map(nameOf)
}
function nameOf({
  route,
  groupRatio,
  model,
}: {
  route: { channel: { id: number }; caller?: object }
  groupRatio: bigint
  model: string
}) {
  const whose = route.caller === undefined ? 'platform' : 'own'
  return `${route.channel.id} ${whose} ${Number(groupRatio) / 1e6}${model === 'm' ? '' : ` ${model}`}`
}
const keys = (...list: readonly [string, OwnKey][]): OwnKeys => new Map(list)

describe('a user’s own keys', () => {
  const mixed = [vendorChannel(1, CALLER), vendorChannel(2, EITHER), channelSnapshot(3, { priority: 9 })]

  test('come before the platform’s, whatever the priorities, where the setting allows the platform', () => {
    const { chosen } = looked(mixed, { ownKeys: keys(own('OpenAI', true)) })
    const found = chosen?.candidates.map(nameOf) ?? []
    expect(found.slice(0, 2).toSorted()).toEqual(['1 own 0.5', '2 own 0'])
    expect(found.slice(2)).toEqual(['3 platform 1', '2 platform 1'])
  })

  test('keep the platform out where it does not', () => {
    const { chosen } = looked(mixed, { ownKeys: keys(own('OpenAI', false)) })
    expect((chosen?.candidates ?? []).map(nameOf).toSorted()).toEqual(['1 own 0.5', '2 own 0'])
    const left = chosen?.decision.lanes.filter(({ order: place }) => place === 0)
    expect(left).toMatchObject([{ channel: 3, excluded: 'credential_not_taken' }])
  })

  test('leave a try for the platform without retries', () => {
    const one = [vendorChannel(1, CALLER), channelSnapshot(3)]
    expect(order(one, { ownKeys: keys(own('OpenAI', true)), RetryTimes: 0 })).toEqual(['1 own 0.5', '3 platform 1'])
  })

  test('change nothing for models that no channel takes them for', () => {
    for (const fallsBack of [true, false]) {
      expect(order([channelSnapshot(3)], { ownKeys: keys(own('OpenAI', fallsBack)) })).toEqual(['3 platform 1'])
      expect(order(mixed, { ownKeys: keys(own('Anthropic', fallsBack)) })).toEqual(order(mixed, {}))
    }
  })

  test('change nothing for a request that brings one', () => {
    const callerCredential = new SentCredential('Authorization', 'sk-proj-sent')
    const { chosen } = looked(mixed, { callerCredential })
    expect(chosen?.candidates.map(({ route }) => route.caller)).toEqual([callerCredential, callerCredential])
  })

  test('go to channels of their own vendor only, each its own', () => {
    const two = [vendorChannel(1, CALLER), vendorChannel(2, CALLER, { type: 14 })]
    const { chosen } = looked(two, { ownKeys: keys(own('OpenAI', false), own('Anthropic', true)) })
    const sent = chosen?.candidates.map(({ route: { channel, caller } }) => [channel.id, caller?.reveal()])
    expect(sent?.toSorted()).toEqual([
      [1, 'key-of-OpenAI'],
      [2, 'key-of-Anthropic'],
    ])
  })

  test.each([
    ['disabled', { status: 2 }],
    ['switched off by the gateway', { status: 3 }],
    ['paused', { priority: -1 }],
    ['unusable', { modelMapping: '{' }],
  ])('bill nobody by surprise when the channel that takes them is %s', (_, state) => {
    const channels = [vendorChannel(1, EITHER, state), channelSnapshot(3)]
    expect(order(channels, { ownKeys: keys(own('OpenAI', false)) })).toBe('own_key_unserved')
    expect(order(channels, { ownKeys: keys(own('OpenAI', true)) })).toEqual(['3 platform 1'])
    expect(order(channels, {})).toEqual(['3 platform 1'])
  })

  test('that cannot be opened are not sent, and their setting stands', () => {
    const lost = (fallsBack: boolean) => keys(['OpenAI', { credential: undefined, fallsBack }])
    expect(order(mixed, { ownKeys: lost(false) })).toBe('own_key_unserved')
    expect(order(mixed, { ownKeys: lost(true) })).toEqual(['3 platform 1', '2 platform 1'])
  })

  test('wait behind the platform while the vendor does not work, and are tried last without it', () => {
    const one = [vendorChannel(1, CALLER), channelSnapshot(3)]
    expect(order(one, { ownKeys: keys(own('OpenAI', true)), failing: true })).toEqual(['3 platform 1', '1 own 0.5'])
    expect(order(one, { ownKeys: keys(own('OpenAI', false)), failing: true })).toEqual(['1 own 0.5'])
  })

  test('keep the fallback models of the requested one off the platform, too', () => {
    const channels = [
      vendorChannel(1, CALLER),
      channelSnapshot(2, { models: ['n'], modelConfigs: PRICES }),
      vendorChannel(3, CALLER, { type: 14, models: ['n'] }),
    ]
    const fallbacks = { m: ['n'] }
    const both = (first: boolean, second: boolean) =>
      order(channels, { fallbacks, ownKeys: keys(own('OpenAI', first), own('Anthropic', second)) })
    expect(both(false, true)).toEqual(['1 own 0.5', '3 own 0.5 n'])
    expect(both(true, false)).toEqual(['1 own 0.5', '3 own 0.5 n'])
    expect(both(true, true)).toEqual(['1 own 0.5', '3 own 0.5 n', '2 platform 1 n'])
  })

  test('are used on the channel that an administrator names, before its own', () => {
    const ownKeys = keys(own('OpenAI', true))
    expect(order(mixed, { ownKeys, pinnedChannel: 2 })).toEqual(['2 own 0', '2 platform 1'])
    expect(order(mixed, { ownKeys, pinnedChannel: 3 })).toEqual(['3 platform 1'])
    expect(order(mixed, { ownKeys: keys(own('OpenAI', false)), pinnedChannel: 2 })).toEqual(['2 own 0'])
  })

  test('reach what they have stored at the provider, and the platform’s reach the rest', () => {
    const { table } = createRoutingTable(mixed, (sealed) => sealed)
    const platforms = table.channel(2)?.route?.key.fingerprint ?? ''
    const at = (pinnedKey: string, fallsBack: boolean) =>
      order(mixed, { ownKeys: keys(own('OpenAI', fallsBack)), pinnedChannel: 2, pinnedKey })
    const mine = own('OpenAI', true)[1].credential?.fingerprint ?? ''
    expect([at(mine, true), at(mine, false)]).toEqual([['2 own 0'], ['2 own 0']])
    expect([at(platforms, true), at(platforms, false)]).toEqual([['2 platform 1'], 'own_key_unserved'])
  })
})
