import { parseArgs } from 'node:util'
import { createHealth } from '@sluice/routing/lane-health'
import { orderLanes } from '@sluice/routing/order-lanes'
import { createRetryBudget } from '@sluice/routing/retry-budget'
import { channelSnapshot } from '@sluice/testkit/channel-snapshot'
import type { Plannable } from '../apps/gateway/src/relay/routing/choice.ts'
import { plan, type PlanDeps } from '../apps/gateway/src/relay/routing/plan.ts'
import { createRoutingTable } from '../apps/gateway/src/relay/routing/routing-table.ts'

/** The cost of routing: microseconds of CPU per request, with 1, 3 and 60 channels, and with one of a thousand keys. */
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const ROUNDS = values.quick ? 3 : 9
const RUNS = values.quick ? 20_000 : 200_000

let now = 1_800_000_000_000
const health = createHealth({ capacity: 20_000, random: Math.random })

/** The best of several rounds: other load on the machine only ever adds to it. */
function measure(what: string, runs: number, act: (run: number) => unknown): void {
  for (let run = 0; run < runs / 5; run++) act(run)
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage()
    for (let run = 0; run < runs; run++) act(run)
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / runs)
  }
  process.stdout.write(`${what.padEnd(44)} ${best.toFixed(3).padStart(9)} µs\n`)
}

for (const count of [1, 3, 60]) {
  const lanes = Array.from({ length: count }, (_, at) => ({ channel: at + 1, key: 'abcdef012345', model: 'm' }))
  const runs = Math.ceil(RUNS / count)
  const lane = (run: number) => lanes[run % count] ?? { channel: 1, key: 'abcdef012345', model: 'm' }
  measure(`a call from begin to end, of ${count}`, RUNS, (run) => {
    now += 0.01
    const call = health.begin(lane(run), now)
    call.answered(300, now)
    call.end('answered', now)
  })
  measure(`standing of ${count}`, runs, () => lanes.map((each) => health.standing(each, now)))
  measure(`order of ${count} by chance`, runs, () =>
    orderLanes(lanes, ({ channel }) => channel, { random: Math.random }),
  )
  const nameOf = ({ channel }: { readonly channel: number }) => String(channel)
  measure(`order of ${count} by conversation`, runs, (run) =>
    orderLanes(lanes, ({ channel }) => channel, { session: `7 chat-${run}`, nameOf }),
  )
  const channels = lanes.map(({ channel }) => channelSnapshot(channel, { weight: 1 }))
  planFor(`plan over ${count} by chance`, runs, channels, {})
  planFor(`plan over ${count} by conversation`, runs, channels, { 'x-session-id': 'chat-7' })
}

const keys = JSON.stringify(Array.from({ length: 1_000 }, (_, at) => `key-${at}`))
planFor('plan over a thousand keys', RUNS / 20, [channelSnapshot(1, { keySealed: keys, keyCount: 1_000 })], {})

const budget = createRetryBudget()
measure('retry budget, a first try', RUNS, () => budget.sent(now))

function planFor(
  what: string,
  runs: number,
  channels: readonly ReturnType<typeof channelSnapshot>[],
  headers: Plannable['accepted']['headers'],
): void {
  const { table } = createRoutingTable(channels, (sealed) => sealed)
  const options = {
    RetryTimes: 0,
    UnpricedModelPolicy: 'refuse',
    UnpricedModelRatio: 30,
    ModelFallbacks: new Map(),
    Groups: { byName: new Map(), auto: [] },
  } as const
  const deps: PlanDeps = {
    routing: () => table,
    options: () => options,
    health,
    random: Math.random,
    now: () => now,
    onUnpriced: () => {},
  }
  const request: Plannable = {
    identity: { group: 'default', groups: undefined, pinnedChannel: undefined, models: undefined, tokenId: 7 },
    accepted: { received: now, headers },
    parsed: { model: 'm', path: '/v1/chat/completions', conversation: { dialect: 'openai-chat' } },
    kind: { endpoint: 'chat_completions', path: '/v1/chat/completions' },
  }
  measure(what, runs, () => plan(deps, request))
}
