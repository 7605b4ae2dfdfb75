import type { Health, CooldownCause } from '@sluice/routing/health'
import { createHealth } from '@sluice/routing/lane-health'
import type { ChannelSnapshot } from '@sluice/store/snapshots/channels'
import { channelSnapshot } from '@sluice/testkit/channel-snapshot'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Plannable } from './choice.ts'
import { look } from './plan.ts'
import { createRoutingTable } from './routing-table.ts'

const NOW = 1_000_000
const CONVERSATION = { dialect: 'openai-chat' } as const

let health: Health
beforeEach(() => {
  health = createHealth({ capacity: 1_000, random: () => 0.5 })
})

interface PlannedCall {
  readonly model?: string
  readonly session?: string
  readonly models?: ReadonlySet<string>
  readonly conversation?: Plannable['parsed']['conversation']
  readonly fallbacks?: Readonly<Record<string, readonly string[]>>
  readonly body?: Buffer
  readonly tokenId?: number
  readonly random?: () => number
  readonly RetryTimes?: number
}

function looked(channels: readonly ChannelSnapshot[], parsed: PlannedCall = {}) {
  const { table } = createRoutingTable(channels, (sealed) => sealed)
  const options = {
    RetryTimes: parsed.RetryTimes ?? 2,
    UnpricedModelPolicy: 'refuse',
    UnpricedModelRatio: 30,
    ModelFallbacks: new Map(Object.entries(parsed.fallbacks ?? {})),
    Groups: { byName: new Map(), auto: [] },
  } as const
  const random = parsed.random ?? (() => 0.5)
  const deps = { routing: () => table, options: () => options, health, random, now: () => NOW, onUnpriced: () => {} }
  return look(deps, {
    identity: {
      group: 'default',
      groups: undefined,
      pinnedChannel: undefined,
      models: parsed.models,
      tokenId: parsed.tokenId ?? 1,
    },
    accepted: { received: NOW, headers: parsed.session === undefined ? {} : { 'x-session-id': parsed.session } },
    parsed: {
      model: parsed.model ?? 'm',
      path: '/v1/chat/completions',
      conversation: 'conversation' in parsed ? parsed.conversation : CONVERSATION,
    },
    kind: { endpoint: 'chat_completions', path: '/v1/chat/completions' },
    ...(parsed.body && { body: parsed.body }),
  })
}

/** `channel` or `channel/key`, in the order in which they are tried. */
const order = (...given: Parameters<typeof looked>): readonly string[] =>
  (looked(...given).chosen?.candidates ?? []).map(({ route: { channel, key } }) =>
    key.of > 1 ? `${channel.id}/${key.position}` : String(channel.id),
  )

/** Puts a channel's lane into cooldown, as a report from another replica would. */
function rest(id: number, cause: CooldownCause, seconds: number, more: { readonly key?: string } = {}): void {
  const { table } = createRoutingTable([channelSnapshot(id)], () => more.key ?? 'sealed')
  const lane = table.channel(id)?.route?.lane('m')
  if (lane === undefined) throw new Error('there is no such lane')
  health.adopt({ ...lane, cause, until: NOW + seconds * 1_000 })
}

test('of lanes that were not needed a few are shown, the others counted', () => {
  const { chosen } = looked(Array.from({ length: 12 }, (_, at) => channelSnapshot(at + 1)))
  expect(chosen?.decision.lanes.map(({ excluded = '' }) => excluded)).toEqual([
    '',
    '',
    '',
    'spare',
    'spare',
    'spare',
    'spare',
  ])
  expect(chosen?.decision.more).toBe(5)
})

describe('lanes in cooldown', () => {
  const three = [1, 2, 3].map((id) => channelSnapshot(id))

  test('are left out while others are available, with the reason and the end of the cooldown', () => {
    rest(2, 'limited', 30)
    const { chosen } = looked(three)
    expect(chosen?.candidates.map(({ route }) => route.channel.id)).not.toContain(2)
    expect(chosen?.decision.lanes).toContainEqual(
      expect.objectContaining({ channel: 2, order: 0, excluded: 'limited', until: NOW + 30_000 }),
    )
  })

  test('are tried last when they only failed: better than refusing', () => {
    rest(1, 'failing', 30)
    expect(order(three).at(-1)).toBe('1')
    expect(order([channelSnapshot(1)])).toEqual(['1'])
  })

  test('do not add tries beyond the limit', () => {
    const six = [1, 2, 3, 4, 5, 6].map((id) => channelSnapshot(id))
    for (const id of [4, 5, 6]) rest(id, 'failing', 30)
    expect(order(six)).toHaveLength(3)
    expect(order(six, { RetryTimes: 4 })).toHaveLength(5)
  })

  test('are left alone by every request when they asked for it; the refusal says for how long', () => {
    for (const [at, { id }] of three.entries()) rest(id, 'limited', 20 + at)
    expect(looked(three).refusal).toEqual({
      code: 'providers_limited',
      params: { model: 'm', seconds: 20 },
      retryAfter: 20,
    })
  })

  test('with a refused key are called only when there is nothing else', () => {
    rest(1, 'account', 30)
    expect(order([channelSnapshot(1), channelSnapshot(2)])).toEqual(['2'])
    expect(order([channelSnapshot(1)])).toEqual(['1'])
  })

  test('let a lower priority serve in the meantime', () => {
    rest(1, 'limited', 30)
    expect(order([channelSnapshot(1, { priority: 9 }), channelSnapshot(2)])).toEqual(['2'])
  })
})

describe('a lane that recovers from a cooldown', () => {
  /** Puts the lane into early recovery, in which it takes a tenth of its load. */
  function returned(id: number): void {
    const lane = { channel: id, key: 'any', model: 'm' }
    health.adopt({ ...lane, cause: 'failing', until: NOW })
    health.begin(lane, NOW).answered(100, NOW)
  }

  test('leaves most of its load to a lower priority for now, and stays behind it', () => {
    returned(1)
    const channels = [channelSnapshot(1, { priority: 9 }), channelSnapshot(2)]
    expect(order(channels, { random: () => 0.5 })).toEqual(['2', '1'])
    expect(order(channels, { random: () => 0.05 })).toEqual(['1', '2'])
    expect(looked(channels).chosen?.decision.lanes).toContainEqual(
      expect.objectContaining({ channel: 1, order: 2, share: 0.1 }),
    )
  })

  test('is called by every request when there is no other', () => {
    returned(1)
    expect(order([channelSnapshot(1)])).toEqual(['1'])
  })
})

test('a lane that a model and its fallback share is tried once', () => {
  const shared = channelSnapshot(1, {
    models: ['m', 'n'],
    modelMapping: '{"m":"x","n":"x"}',
    modelConfigs: '{"x":{"ratio":1}}',
  })
  expect(order([shared], { fallbacks: { m: ['n'] } })).toEqual(['1'])
  const lane = {
    channel: 1,
    key: createRoutingTable([shared], () => 'sealed').table.channel(1)?.route?.key.fingerprint,
  }
  health.adopt({ ...lane, key: lane.key ?? '', model: 'x', cause: 'failing', until: NOW + 30_000 })
  expect(order([shared], { fallbacks: { m: ['n'] } })).toEqual(['1'])
})

describe('several keys', () => {
  const keys = JSON.stringify(['key-a', 'key-b', 'key-c'])
  const several = channelSnapshot(1, { keySealed: keys, keyCount: 3 })

  test('are each a lane of their own', () => {
    expect(order([several]).toSorted()).toEqual(['1/1', '1/2', '1/3'])
  })

  test('cool down separately', () => {
    rest(1, 'limited', 30, { key: 'key-b' })
    expect(order([several]).toSorted()).toEqual(['1/1', '1/3'])
  })

  test('share the weight of their channel', () => {
    let state = 3
    const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
    let alone = 0
    for (let i = 0; i < 2_000; i++) if (order([several, channelSnapshot(2)], { random })[0] === '2') alone += 1
    expect(alone).toBeGreaterThan(900)
    expect(alone).toBeLessThan(1_100)
  })

  test('are sooner tried at another channel, and two of them before a lower priority', () => {
    expect(order([several, channelSnapshot(2)]).slice(0, 2)).toContain('2')
    const higher = { ...several, priority: 9 }
    expect(order([higher, channelSnapshot(2)]).map((name) => name.slice(0, 1))).toEqual(['1', '1', '2'])
    const all = order([higher, channelSnapshot(2)], { RetryTimes: 9 })
    expect(all.map((name) => name.slice(0, 1))).toEqual(['1', '1', '2', '1'])
  })

  test('can be a thousand: each request looks at few, all are called, and a conversation keeps its own', () => {
    const thousand = Array.from({ length: 1_000 }, (_, at) => `key-${at}`)
    const pool = channelSnapshot(1, { keySealed: JSON.stringify(thousand), keyCount: 1_000 })
    const looks: string[] = []
    const real = health
    health = { ...real, standing: (lane, now) => (looks.push(lane.key), real.standing(lane, now)) }
    expect(order([pool])).toHaveLength(3)
    expect(looks).toHaveLength(16)
    expect(looked([pool]).chosen?.decision.more).toBe(1_000 - 3 - 4)
    const mine = order([pool], { session: 'mine' })
    expect(order([pool], { session: 'mine', random: () => 0.9 })).toEqual(mine)
    const [first = ''] = mine
    rest(1, 'limited', 30, { key: `key-${Number(first.slice(2)) - 1}` })
    expect(order([pool], { session: 'mine' })[0]).toBe(mine[1])
  })

  test('of which many are in cooldown are searched further, within bounds', () => {
    const thousand = Array.from({ length: 1_000 }, (_, at) => `key-${at}`)
    const pool = channelSnapshot(1, { keySealed: JSON.stringify(thousand), keyCount: 1_000 })
    const lanes =
      createRoutingTable([pool], (sealed) => sealed).table.offer('default', 'm')?.tiers[0]?.[0]?.routes ?? []
    health = createHealth({ capacity: 10_000, random: () => 0.5 })
    for (const route of lanes.slice(500, 540)) {
      health.adopt({ ...route.lane('m'), cause: 'limited', until: NOW + 30_000 })
    }
    expect(order([pool])).toHaveLength(3)
    for (const route of lanes) health.adopt({ ...route.lane('m'), cause: 'limited', until: NOW + 30_000 })
    expect(looked([pool]).refusal?.code).toBe('providers_limited')
  })

  test('that cannot be read make the channel unusable, and the decision says so', () => {
    const { chosen, refusal } = looked([channelSnapshot(1, { keySealed: 'no list', keyCount: 2 })])
    expect(refusal?.code).toBe('no_channel')
    expect(chosen?.decision.lanes).toMatchObject([{ channel: 1, excluded: 'unusable' }])
  })
})

describe('a conversation', () => {
  const many = Array.from({ length: 8 }, (_, at) => channelSnapshot(at + 1))

  test('keeps its channel whatever is drawn, by the name that the client gives it', () => {
    const firsts = [0, 0.3, 0.7].map((mark) => order(many, { session: 'chat 7', random: () => mark })[0])
    expect(new Set(firsts).size).toBe(1)
    expect(looked(many, { session: 'chat 7' }).chosen?.decision.by).toBe('session')
  })

  test('is recognised by the beginning of a long body; a short one has no cache to lose', () => {
    const start = Buffer.alloc(4_096, 'x')
    const turns = ['', ' and more', ' and more and more'].map((more) => Buffer.concat([start, Buffer.from(more)]))
    expect(new Set(turns.map((body) => order(many, { body })[0])).size).toBe(1)
    expect(looked(many, { body: start.subarray(1) }).chosen?.decision.by).toBe('weight')
  })

  test('counts as two when two tokens use the same name', () => {
    const firsts = Array.from({ length: 40 }, (_, tokenId) => order(many, { session: 'x', tokenId })[0])
    expect(new Set(firsts).size).toBeGreaterThan(3)
  })

  test('leaves a lane in cooldown, and comes back afterwards', () => {
    const [first = ''] = order(many, { session: 'chat 7' })
    rest(Number(first), 'failing', 30)
    const [second] = order(many, { session: 'chat 7' })
    expect(second).not.toBe(first)
    health.forget(Number(first))
    expect(order(many, { session: 'chat 7' })[0]).toBe(first)
  })

  test('leaves a crowded lane for now', () => {
    const [first = ''] = order(many, { session: 'chat 7' })
    const { table } = createRoutingTable(many, (sealed) => sealed)
    const lane = table.channel(Number(first))?.route?.lane('m')
    if (lane === undefined) throw new Error('there is no such lane')
    for (let call = 0; call < 5; call++) health.begin(lane, NOW)
    expect(order(many, { session: 'chat 7' })[0]).not.toBe(first)
  })
})

describe('fallback models', () => {
  const channels = [channelSnapshot(1), channelSnapshot(2, { models: ['n'], modelConfigs: '{"n":{"ratio":1}}' })]
  const fallbacks = { m: ['n'] }

  test('come after every channel of the model', () => {
    const { chosen } = looked(channels, { fallbacks })
    expect(chosen?.candidates.map(({ upstreamModel }) => upstreamModel)).toEqual(['m', 'n'])
    expect(chosen?.decision.lanes.map(({ model, order: place }) => [model, place])).toEqual([
      ['m', 1],
      ['n', 2],
    ])
  })

  test('serve a model that no channel has', () => {
    expect(order([channelSnapshot(2, { models: ['n'], modelConfigs: '{"n":{"ratio":1}}' })], { fallbacks })).toEqual([
      '2',
    ])
  })

  test('are not available to tokens that may not use them', () => {
    expect(order(channels, { fallbacks, models: new Set(['m']) })).toEqual(['1'])
  })

  test('are only for conversations: vectors of two models are not interchangeable', () => {
    expect(order(channels, { fallbacks, conversation: undefined })).toEqual(['1'])
  })
})
