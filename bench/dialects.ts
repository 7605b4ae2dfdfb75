import { parseArgs } from 'node:util'
import { startEmulatorProcess } from '@sluice/testkit/gateway-process'
import { checkBudget } from './check-budget.ts'
import budgets from './dialect-budgets.json' with { type: 'json' }
import type { LoadPlan, LoadReport } from './load-plan.ts'
import { usageOf } from './process-usage.ts'
import { runLoad } from './run-load.ts'
import { MODEL } from './scenarios.ts'
import { median } from './statistics.ts'
import { sluice, type Target } from './targets.ts'

/**
 * The cost of translation: the same streams of the same provider, passed on to a chat client and translated for clients of
 * Anthropic's Messages, Responses and Gemini; and how long other streams wait while bodies of 5 MB arrive.
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const rounds = values.quick ? 1 : 3
const streams = values.quick ? 128 : 384
const PROMPT = 'How does the water find its way through the gates of a lock? '.repeat(12)
const PICTURE_BYTES = 5_000_000
const BODIES = 'bodies'
const EVENTS_PER_STREAM = 100

interface Client {
  readonly name: string
  readonly path: string
  readonly body: object
  readonly ending: string
}

const user = { role: 'user', content: PROMPT }
const CLIENTS: readonly Client[] = [
  {
    name: 'chat, passed on',
    path: '/v1/chat/completions',
    body: { model: MODEL.stream, messages: [user], stream: true },
    ending: '[DONE]',
  },
  {
    name: 'messages',
    path: '/v1/messages',
    body: { model: MODEL.stream, messages: [user], max_tokens: 4_096, stream: true },
    ending: 'message_stop',
  },
  {
    name: 'responses',
    path: '/v1/responses',
    body: { model: MODEL.stream, input: PROMPT, stream: true },
    ending: 'response.completed',
  },
  {
    name: 'gemini',
    path: `/v1beta/models/${MODEL.stream}:streamGenerateContent?alt=sse`,
    body: { contents: [{ role: 'user', parts: [{ text: PROMPT }] }] },
    ending: 'finishReason',
  },
]

const emulator = await startEmulatorProcess()
/** Receives the large bodies, which would delay the streams of a shared provider. */
const reader = await startEmulatorProcess()
const target = await sluice(emulator.url, Object.values(MODEL), {
  upstream: reader.url,
  names: { [BODIES]: MODEL.json },
})
try {
  const costs = new Map<string, number[]>()
  for (let round = 0; round <= rounds; round++) {
    console.log(round === 0 ? 'warm-up' : `round ${round} of ${rounds}`)
    for (const client of CLIENTS) {
      const cost = await chunkCost(target, client)
      if (round > 0) costs.set(client.name, [...(costs.get(client.name) ?? []), cost])
    }
  }
  const passed = median(costs.get(CLIENTS[0]?.name ?? '') ?? [])
  console.log('\nCPU per streamed chunk            µs   times passed on')
  let worst = 0
  for (const [name, each] of costs) {
    const cost = median(each)
    worst = Math.max(worst, cost / passed)
    console.log(`${name.padEnd(28)}${cost.toFixed(1).padStart(8)}${(cost / passed).toFixed(2).padStart(12)}`)
  }
  const [alone, beside] = [await gapsBeside(target, false), await gapsBeside(target, true)]
  console.log(`\ngap between chunks, p50/p99, ms: alone ${gaps(alone)}, beside bodies of 5 MB ${gaps(beside)}`)
  checkBudget('translatedOverPassed', budgets.translatedOverPassed, worst)
  checkBudget('gapP99BesideBodiesMs', budgets.gapP99BesideBodiesMs, beside.gapP99Ms - alone.gapP99Ms)
} finally {
  await target.stop()
  await emulator.stop()
  await reader.stop()
}

/** Microseconds of the gateway's CPU per stream event, including the call itself. */
async function chunkCost({ pid, ...to }: Target, client: Client): Promise<number> {
  const before = usageOf(pid).cpuNs
  const report = await runLoad(planFor(to, client, { kind: 'closed', connections: 64, requests: streams }))
  // Every dialect sends a word per event, but the events around it differ, so words are counted.
  return (usageOf(pid).cpuNs - before) / 1_000 / (report.complete * EVENTS_PER_STREAM)
}

function planFor(
  { url, headers }: Pick<Target, 'url' | 'headers'>,
  { path, body, ending }: Client,
  pattern: LoadPlan['pattern'],
): LoadPlan {
  return { url: new URL(path, url).href, headers, body: JSON.stringify(body), stream: true, ending, pattern }
}

/** How evenly streams flow, optionally while bodies with a picture are translated for a provider of another dialect. */
async function gapsBeside(to: Target, withBodies: boolean): Promise<LoadReport> {
  const [chat] = CLIENTS
  if (chat === undefined) throw new Error('no client')
  const flowing = runLoad(planFor(to, chat, { kind: 'closed', connections: 16, requests: 96 }))
  if (withBodies) {
    const source = { type: 'base64', media_type: 'image/png', data: 'PICTURE' }
    const content = [{ type: 'image', source }]
    const body = JSON.stringify({ model: BODIES, max_tokens: 64, messages: [{ role: 'user', content }] })
    const pattern = { kind: 'closed', connections: 2, requests: 30 } as const
    const plan = { headers: to.headers, body, stream: false, pattern, pictureBytes: PICTURE_BYTES }
    await runLoad({ ...plan, url: new URL('/v1/messages', to.url).href })
  }
  return await flowing
}

function gaps({ gapP50Ms, gapP99Ms }: LoadReport): string {
  return `${gapP50Ms.toFixed(1)} / ${gapP99Ms.toFixed(1)}`
}
