import { createHealth } from '@sluice/routing/lane-health'
import { groupsByName } from '@sluice/store/options/groups'
import { ratioFor } from '@sluice/store/options/usable-groups'
import { channelSnapshot } from '@sluice/testkit/channel-snapshot'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainCounts } from '../calls/parsed-call.ts'
import { chargeAtMost, holdSize } from '../charge/hold-size.ts'
import { look } from './plan.ts'
import { createRoutingTable } from './routing-table.ts'

const NAMES = ['default', 'a', 'b', 'c']

const someChannels = fc
  .array(
    fc.record({
      groups: fc.subarray(NAMES, { minLength: 1 }),
      priority: fc.integer({ min: -1, max: 2 }),
      keys: fc.integer({ min: 1, max: 3 }),
      ratio: fc.integer({ min: 0, max: 9 }),
    }),
    { maxLength: 8 },
  )
  .map((channels) =>
    channels.map(({ groups, priority, keys, ratio }, at) =>
      channelSnapshot(at + 1, {
        groups,
        priority,
        modelConfigs: JSON.stringify({ m: { ratio } }),
        ...(keys > 1 && { keySealed: JSON.stringify(['x', 'y', 'z'].slice(0, keys)), keyCount: keys }),
      }),
    ),
  )
const someRatios = fc.array(fc.bigInt({ min: 0n, max: 5_000_000n }), { minLength: 4, maxLength: 4 })

interface Given {
  readonly channels: readonly ReturnType<typeof channelSnapshot>[]
  readonly ratios: readonly bigint[]
  readonly groups: readonly string[] | undefined
  readonly RetryTimes: number
}

function candidatesOf({ channels, ratios, groups, RetryTimes }: Given) {
  const { table } = createRoutingTable(channels, (sealed) => sealed)
  const plain = { title: '', text: '', usableBy: new Set<string>(), order: 0 }
  const [own = 0n] = ratios
  const Groups = groupsByName(
    new Map(
      NAMES.map((name, at) => {
        const special = at === 3 ? new Map([['default', own]]) : new Map<string, bigint>()
        return [name, { ...plain, ratio: ratios[at] ?? 0n, ratioFor: special }]
      }),
    ),
  )
  const options = {
    RetryTimes,
    UnpricedModelPolicy: 'refuse',
    UnpricedModelRatio: 30,
    ModelFallbacks: new Map(),
    Groups,
  } as const
  const { chosen, refusal } = look(
    {
      routing: () => table,
      options: () => options,
      health: createHealth({ capacity: 1_000, random: () => 0.5 }),
      random: () => 0.5,
      now: () => 1_000,
      onUnpriced: () => {},
    },
    {
      identity: { group: 'default', groups, pinnedChannel: undefined, models: undefined, tokenId: 1 },
      accepted: { received: 1_000, headers: {} },
      parsed: { model: 'm', path: '/v1/chat/completions', conversation: { dialect: 'openai-chat' } },
      kind: { endpoint: 'chat_completions', path: '/v1/chat/completions' },
    },
  )
  return { candidates: chosen?.candidates ?? [], refusal, Groups }
}

const given = fc.record({
  channels: someChannels,
  ratios: someRatios,
  groups: fc.shuffledSubarray(NAMES, { minLength: 1 }),
  RetryTimes: fc.integer({ min: 0, max: 4 }),
})

test('groups are tried in their order, each by its own channels and at its own ratio, and no lane twice', () => {
  fc.assert(
    fc.property(given, (world) => {
      const { candidates, refusal, Groups } = candidatesOf(world)
      const places = candidates.map(({ group }) => world.groups.indexOf(group ?? ''))
      expect(places).toEqual(places.toSorted((a, b) => a - b))
      for (const { group, groupRatio, route } of candidates) {
        expect(route.channel.groups).toContain(group)
        expect(groupRatio).toBe(ratioFor(Groups, 'default', group ?? ''))
      }
      expect(new Set(candidates.map(({ lane }) => lane)).size).toBe(candidates.length)
      expect(refusal === undefined).toBe(candidates.length > 0)
    }),
  )
})

test('each group with a channel that no group before it has is tried, however few retries there are', () => {
  fc.assert(
    fc.property(given, (world) => {
      const { candidates } = candidatesOf(world)
      const before = new Set<number>()
      for (const group of world.groups) {
        const serving = world.channels.filter(({ groups, priority }) => groups.includes(group) && priority >= 0)
        const isNew = serving.length > 0 && serving.every(({ id }) => !before.has(id))
        if (isNew) expect(candidates.map((each) => each.group)).toContain(group)
        for (const { id } of serving) before.add(id)
      }
    }),
  )
})

test('a token for its owner’s group alone is served as one that names none', () => {
  fc.assert(
    fc.property(given, (world) => {
      const facts = ({ candidates }: ReturnType<typeof candidatesOf>) =>
        candidates.map(({ lane, groupRatio, quote }) => [lane.channel, lane.key, groupRatio, quote.rates.input])
      const named = candidatesOf({ ...world, groups: ['default'] })
      const none = candidatesOf({ ...world, groups: undefined })
      expect(facts(named)).toEqual(facts(none))
      expect(named.refusal?.code).toBe(none.refusal?.code)
    }),
  )
})

test('the hold covers the charge by whichever group answers', () => {
  const counts = plainCounts(100, 50)
  const parsed = { bound: () => ({ counts, open: false }) }
  fc.assert(
    fc.property(given, (world) => {
      const { candidates } = candidatesOf(world)
      const charges = candidates.map(({ quote, groupRatio }) => chargeAtMost(counts, quote, groupRatio))
      const { amount } = holdSize(parsed, candidates, 500)
      for (const charge of charges) expect(amount).toBeGreaterThanOrEqual(charge)
      if (charges.length > 0) expect(charges).toContain(amount)
    }),
  )
})
