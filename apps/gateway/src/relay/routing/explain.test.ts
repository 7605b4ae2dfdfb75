import { PLAIN_TOKEN } from '@sluice/contract/fields/token'
import { createHealth } from '@sluice/routing/lane-health'
import type { TokenSnapshot } from '@sluice/store/snapshots/tokens'
import { channelSnapshot } from '@sluice/testkit/channel-snapshot'
import { expect, test } from 'vitest'
import { CALL_KINDS } from '../calls/calls.ts'
import { explain, type ExplainDeps, namedLanes, type ThoughtOfRequest } from './explain.ts'
import { createRoutingTable } from './routing-table.ts'

const CHANNELS = [
  channelSnapshot(1, { priority: 5 }),
  channelSnapshot(2, { status: 2 }),
  channelSnapshot(3, { status: 3 }),
  channelSnapshot(4, { priority: -1 }),
  channelSnapshot(5, { modelConfigs: null }),
  channelSnapshot(6, { keySealed: '["a","b"]', keyCount: 2 }),
]
const GROUPS = { byName: new Map(), auto: [] }
const health = createHealth({ capacity: 100, random: () => 0.5 })
const { table } = createRoutingTable(CHANNELS, (sealed) => sealed)
const deps: ExplainDeps = {
  routing: () => table,
  options: () => ({
    RetryTimes: 2,
    UnpricedModelPolicy: 'refuse',
    UnpricedModelRatio: 30,
    ModelFallbacks: new Map(),
    Groups: GROUPS,
  }),
  health,
  random: () => 0.5,
  now: () => 1_000,
  openOwnKey: () => undefined,
  onUnpriced: () => {
    throw new Error('a thought raises no alarm')
  },
}
const THOUGHT: ThoughtOfRequest = {
  model: 'm',
  path: '/v1/chat/completions',
  group: 'default',
  token: undefined,
  user: undefined,
  pinnedChannel: undefined,
  session: undefined,
}
const asked = (more: Partial<ThoughtOfRequest> = {}) => {
  const explanation = explain(deps, { ...THOUGHT, ...more })
  if (explanation === undefined) throw new Error('not explained')
  return explanation
}

test('says of every channel whether it is tried, or why not', () => {
  const { decision, refusal } = asked()
  expect(refusal).toBeUndefined()
  const lanes = decision?.lanes.map(({ channel, key, order, excluded }) => [channel, key, order, excluded ?? ''])
  expect(lanes?.[0]).toEqual([1, 1, 1, ''])
  expect(lanes?.slice(3)).toEqual([
    [5, 1, 0, 'price_missing'],
    [2, 1, 0, 'disabled'],
    [3, 1, 0, 'auto_disabled'],
    [4, 1, 0, 'paused'],
  ])
})

test.each(CALL_KINDS)('$path can be explained', ({ path }) => {
  expect(asked({ path }).refusal?.code ?? '').not.toMatch(/invalid|json/)
})

test('an unknown path, an unknown model and a group without the model are refusals', () => {
  expect(asked({ path: '/v1/nothing' }).refusal?.code).toBe('unknown_path')
  expect(asked({ model: 'other' }).refusal?.code).toBe('model_not_found')
  expect(asked({ group: 'vip' }).refusal?.code).toBe('model_not_found')
})

test.each(['/v1/messages/count_tokens', '/v1/oneapi/proxy/1/x', '/v1/responses/resp_1'])(
  '%s is offered, but is not a call that is routed by a model',
  (path) => {
    expect(explain(deps, { ...THOUGHT, path })).toBeUndefined()
  },
)

test('a token brings its rules', () => {
  const token: TokenSnapshot = {
    token: {
      ...PLAIN_TOKEN,
      id: 1,
      name: 't',
      status: 1,
      unlimited: true,
      models: ['other'],
      subnet: [],
      groups: [],
      limits: PLAIN_TOKEN,
      guard: PLAIN_TOKEN,
    },
    user: { id: 1, username: 'u', status: 1, role: 1, group: 'default' },
    userAccount: undefined,
    tokenAccount: undefined,
  }
  expect(asked({ token }).refusal?.code).toBe('model_not_allowed')
  expect(asked({ token: { ...token, token: { ...token.token, status: 2 } } }).refusal?.code).toBe('token_disabled')
  expect(asked({ token: { ...token, token: { ...token.token, models: [] } }, pinnedChannel: 1 }).refusal?.code).toBe(
    'channel_pin_not_allowed',
  )
})

test('lanes have the names of their channels and the positions of their keys', () => {
  const lane = table.channel(6)?.routes?.[1]?.lane('m')
  if (lane === undefined) throw new Error('there is no second key')
  health.begin(lane, 1_000).end('answered', 1_001)
  health.begin({ ...lane, channel: 99 }, 1_000).end('answered', 1_001)
  const named = namedLanes(table, health.views(1_002))
  expect(named).toMatchObject([{ channel: 6, channelName: 'c6', position: 2, of: 2, model: 'm', answered: 1 }])
})

test('applies to a user the rules that apply to the owner of a key', () => {
  expect(asked({ user: { status: 1, role: 1 } }).refusal).toBeUndefined()
  expect(asked({ user: { status: 2, role: 1 } }).refusal).toEqual({ code: 'user_disabled' })
  expect(asked({ user: { status: 1, role: 1 }, pinnedChannel: 1 }).refusal).toEqual({ code: 'channel_pin_not_allowed' })
  expect(asked({ user: { status: 1, role: 10 }, pinnedChannel: 1 }).refusal).toBeUndefined()
})

test.each([
  '/v1beta/models/m:generateContent',
  '/v1beta/models/m:streamGenerateContent',
  '/v1beta/models/m:embedContent',
  '/v1beta/models/m:batchEmbedContents',
])('%s can be explained in Google’s form', (path) => {
  expect(asked({ path }).refusal?.code ?? 'endpoint_not_served').toBe('endpoint_not_served')
})

test.each([
  ['/v1/models', 'method_not_allowed'],
  ['/v1/nothing', 'unknown_path'],
  ['/v1/realtime', 'method_not_allowed'],
])('%s is refused as the call would be: %s', (path, code) => {
  expect(asked({ path })).toMatchObject({ decision: undefined, refusal: { code } })
})
