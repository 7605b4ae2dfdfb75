import { isRefusal } from '@sluice/contract/errors'
import { kindOf } from '@sluice/providers/kinds/all'
import type { UnpricedPolicy } from '@sluice/providers/prices/rates'
import { createHealth } from '@sluice/routing/lane-health'
import type { ChannelSnapshot } from '@sluice/store/snapshots/channels'
import { channelSnapshot } from '@sluice/testkit/channel-snapshot'
import { expect, test } from 'vitest'
import { CALL_KINDS } from '../calls/calls.ts'
import type { Authorised } from '../stages/authorised.ts'
import { plan, type PlanDeps } from './plan.ts'
import { createRoutingTable } from './routing-table.ts'

interface PlannedCall {
  readonly model?: string
  readonly group?: string
  readonly pinnedChannel?: number
  readonly RetryTimes?: number
  readonly random?: () => number
  readonly policy?: UnpricedPolicy
  readonly endpoint?: string
  readonly onUnpriced?: PlanDeps['onUnpriced']
}

/** Ids of the channels in the order in which they would be tried, or the refusal's code. */
function planned(channels: readonly ChannelSnapshot[], parsed: PlannedCall = {}): readonly number[] | string {
  const {
    model = 'm',
    group = 'default',
    pinnedChannel,
    RetryTimes = 10,
    random = () => 0,
    policy = 'refuse',
    endpoint = 'chat_completions',
    onUnpriced = () => {},
  } = parsed
  const { table } = createRoutingTable(channels, () => 'key')
  const kind = CALL_KINDS.find((each) => each.endpoint === endpoint) ?? { endpoint, path: '/v1/somewhere' }
  const authorised = {
    accepted: { received: 0, headers: {} },
    identity: { group, pinnedChannel },
    parsed: { model, path: kind.path },
    kind,
  } as Authorised
  const options = {
    RetryTimes,
    UnpricedModelPolicy: policy,
    UnpricedModelRatio: 30,
    ModelFallbacks: new Map(),
    Groups: { byName: new Map(), auto: [] },
  } as const
  const health = createHealth({ capacity: 100, random })
  const now = () => 0
  const deps = { routing: () => table, options: () => options, health, random, now, onUnpriced }
  const result = plan(deps, authorised)
  return isRefusal(result) ? result.code : result.candidates.map(({ route }) => route.channel.id)
}

test('the highest priority comes first, then the next ones', () => {
  expect(
    planned([channelSnapshot(1), channelSnapshot(2, { priority: 9 }), channelSnapshot(3, { priority: 5 })]),
  ).toEqual([2, 3, 1])
})

function firsts(channels: readonly ChannelSnapshot[]): Readonly<Record<string, number>> {
  const random = seeded()
  const counts: Record<string, number> = {}
  for (let i = 0; i < 2_000; i++) {
    const [first] = planned(channels, { random }) as readonly number[]
    counts[String(first)] = (counts[String(first)] ?? 0) + 1
  }
  return counts
}

function seeded(): () => number {
  let state = 7
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

test('inside one priority channels are drawn by weight', () => {
  const counts = firsts([
    channelSnapshot(1, { weight: 1 }),
    channelSnapshot(2, { weight: 8 }),
    channelSnapshot(3, { weight: 1 }),
  ])
  expect(counts['2']).toBeGreaterThan(1_500)
  expect(counts['1']).toBeGreaterThan(140)
  expect(counts['3']).toBeGreaterThan(140)
})

test('when all weights are 0 they are drawn evenly', () => {
  for (const count of Object.values(firsts([1, 2, 3, 4].map((id) => channelSnapshot(id))))) {
    expect(count).toBeGreaterThan(430)
    expect(count).toBeLessThan(570)
  }
})

test('each channel is tried at most once, whatever is drawn', () => {
  const channels = Array.from({ length: 6 }, (_, i) => channelSnapshot(i + 1, { weight: i, priority: i % 2 }))
  for (const mark of [0, 0.25, 0.5, 0.999_999]) {
    const order = planned(channels, { random: () => mark }) as readonly number[]
    expect(order.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6])
  }
})

test.each([0, 1, 2, 5])('a RetryTimes of %i tries this many further channels', (RetryTimes) => {
  const channels = Array.from({ length: 9 }, (_, i) => channelSnapshot(i + 1))
  expect(planned(channels, { RetryTimes })).toHaveLength(1 + RetryTimes)
})

test('paused, disabled and unusable channels are left out', () => {
  const channels = [
    channelSnapshot(1, { priority: -1 }),
    channelSnapshot(2, { status: 2 }),
    channelSnapshot(3, { status: 3 }),
    channelSnapshot(4, { type: 9_999 }),
    channelSnapshot(5, { baseUrl: 'ftp://x' }),
    channelSnapshot(6, { modelMapping: 'no json' }),
    channelSnapshot(8),
  ]
  expect(planned(channels)).toEqual([8])
})

test('the reason a channel is unusable is reported, without its key', () => {
  const unusable = [
    channelSnapshot(1, { type: 99 }),
    channelSnapshot(2, { modelConfigs: '{' }),
    channelSnapshot(3, { status: 2, type: 99 }),
  ]
  const { problems } = createRoutingTable(unusable, () => 'secret-key')
  expect(problems.map((problem) => problem.channel)).toEqual([1, 2])
  expect(JSON.stringify(problems)).not.toContain('secret-key')
  expect(createRoutingTable([channelSnapshot(1)], () => undefined).problems).toHaveLength(1)
})

test('groups see their own channels', () => {
  const channels = [channelSnapshot(1), channelSnapshot(2, { groups: ['vip', 'default'] })]
  expect(planned(channels, { group: 'vip' })).toEqual([2])
  expect(planned(channels, { group: 'other' })).toBe('model_not_found')
})

test('an unknown model is not found; a known one without a usable channel is unavailable', () => {
  expect(planned([channelSnapshot(1)], { model: 'other' })).toBe('model_not_found')
  expect(planned([channelSnapshot(1, { status: 2 })])).toBe('no_channel')
})

test('a channel without a price is passed over, and when it is the only one, the refusal says so', () => {
  expect(planned([channelSnapshot(1, { modelConfigs: null, priority: 9 }), channelSnapshot(2)])).toEqual([2])
  expect(planned([channelSnapshot(1, { modelConfigs: null })])).toBe('model_price_missing')
})

test('a pinned channel is the only candidate, whatever its group and priority', () => {
  const channels = [
    channelSnapshot(1),
    channelSnapshot(2, { groups: ['vip'], priority: -7 }),
    channelSnapshot(3, { status: 2 }),
  ]
  expect(planned(channels, { pinnedChannel: 2 })).toEqual([2])
  expect(planned(channels, { pinnedChannel: 3 })).toBe('pinned_channel_disabled')
  expect(planned(channels, { pinnedChannel: 4 })).toBe('pinned_channel_missing')
  expect(planned(channels, { pinnedChannel: 1, model: 'x' })).toBe('pinned_channel_unfit')
})

test('models are listed by group with the kind that serves them, only those that are served', () => {
  const { table } = createRoutingTable(
    [channelSnapshot(1, { models: ['b', 'a'] }), channelSnapshot(2, { type: 1, models: ['c'], status: 2 })],
    () => 'key',
  )
  expect([...table.models('default')]).toEqual([
    ['a', kindOf(50)?.name],
    ['b', kindOf(50)?.name],
  ])
  expect([...table.models('other')]).toEqual([])
})

test('only channels whose type offers the call are used', () => {
  expect(planned([channelSnapshot(1)], { endpoint: 'embeddings' })).toEqual([1])
  expect(planned([channelSnapshot(1, { type: 36 })], { endpoint: 'rerank' })).toBe('endpoint_not_served')
})
