import type { Cooldown } from '@sluice/routing/health'
import { createHealth } from '@sluice/routing/lane-health'
import type { ChannelSnapshot } from '@sluice/store/snapshots/channels'
import { channelSnapshot } from '@sluice/testkit/channel-snapshot'
import { expect, test } from 'vitest'
import type { Plannable } from './choice.ts'
import { chooseSole } from './choose-sole.ts'
import { choose } from './choose.ts'
import { createRoutingTable } from './routing-table.ts'

const NOW = 1_000_000
const REQUEST: Plannable = {
  identity: { group: 'default', groups: undefined, pinnedChannel: undefined, models: undefined, tokenId: 1 },
  accepted: { received: NOW, headers: {} },
  parsed: { model: 'm', path: '/v1/chat/completions', conversation: { dialect: 'openai-chat' } },
  kind: { endpoint: 'chat_completions', path: '/v1/chat/completions' },
}

/** The results of the short path and of the full selection for these channels. */
function both(channels: readonly ChannelSnapshot[], rest?: Pick<Cooldown, 'cause' | 'until'>, request = REQUEST) {
  const { table } = createRoutingTable(channels, (sealed) => sealed)
  const health = createHealth({ capacity: 100, random: () => 0.5 })
  const lane = table.channel(1)?.route?.lane('m')
  if (rest !== undefined && lane !== undefined) health.adopt({ ...lane, ...rest })
  const options = { UnpricedModelPolicy: 'refuse', UnpricedModelRatio: 30 } as const
  const deps = { health, options: () => options, random: () => 0.5, now: () => NOW, onUnpriced: () => {} }
  const offer = table.offer('default', 'm') ?? { tiers: [], idle: [], vendors: [] }
  const asked = { model: 'm', offer, group: undefined, groupRatio: 1_000_000n }
  const draw = { by: 'weight', session: () => undefined } as const
  const chosen = choose(deps, request, draw, [{ offer: asked, use: 'sent' }], { most: 3, isShared: false })
  return { sole: chooseSole(deps, request, asked), selected: chosen }
}

test.each([
  ['a plain one', {}],
  ['one with a priority and a weight', { priority: 7, weight: 3 }],
  ['one that calls the model otherwise', { modelMapping: '{"m":"n"}', modelConfigs: '{"n":{"ratio":2}}' }],
])('the short path to one lane says what the selection says: %s', (_, more) => {
  const { sole, selected } = both([channelSnapshot(1, more)])
  expect(sole).toBeDefined()
  expect(sole).toEqual(selected)
})

test.each([
  ['two channels', [channelSnapshot(1), channelSnapshot(2)]],
  ['two priorities', [channelSnapshot(1), channelSnapshot(2, { priority: 1 })]],
  ['two keys', [channelSnapshot(1, { keySealed: '["a","b"]', keyCount: 2 })]],
  ['one beside a paused one, which is to be told of', [channelSnapshot(1), channelSnapshot(2, { priority: -1 })]],
  ['one without a price', [channelSnapshot(1, { modelConfigs: null })]],
  ['none', []],
])('what must be chosen or explained is left to the selection: %s', (_, channels) => {
  expect(both(channels).sole).toBeUndefined()
})

test('and so is a lane in cooldown, one that needs a trial, and one whose load is increasing again', () => {
  const one = [channelSnapshot(1)]
  expect(both(one, { cause: 'limited', until: NOW + 1_000 }).sole).toBeUndefined()
  expect(both(one, { cause: 'failing', until: NOW - 1 }).sole).toBeUndefined()
  expect(both(one, { cause: 'limited', until: NOW - 1 }).sole).toBeUndefined()
})

test('and a call that the channel does not offer', () => {
  const path = '/v1/embeddings'
  const request = {
    ...REQUEST,
    parsed: { model: 'm', path, conversation: undefined },
    kind: { endpoint: 'embeddings', path },
  }
  expect(both([channelSnapshot(1)], undefined, request).sole).toBeDefined()
  expect(both([channelSnapshot(1, { type: 14 })], undefined, request).sole).toBeUndefined()
})
