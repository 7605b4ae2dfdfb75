import { Agent, request } from 'node:http'
import { percentile } from './statistics.ts'

/**
 * The load generator, a process of its own: `node load.ts '<LoadPlan as JSON>'`. Prints one `LoadReport` as JSON on its
 * last line. An answer counts when it is complete: a JSON body that parses, a stream that ended with [DONE].
 */
export interface LoadPlan {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Request body, sent unchanged. */
  readonly body: string
  readonly stream: boolean
  /** What the last event of a stream has in it; `data: [DONE]` unless said. */
  readonly ending?: string
  /** So many bytes stand for `PICTURE` in the body: too many for a command line. */
  readonly pictureBytes?: number
  readonly pattern:
    | { readonly kind: 'closed'; readonly connections: number; readonly requests: number }
    /** Starts are spaced evenly, whether or not earlier ones have ended. */
    | { readonly kind: 'paced'; readonly perSecond: number; readonly requests: number }
    /** Opens streams, prints `open` when each has sent its first event, ends with standard input. */
    | { readonly kind: 'held'; readonly streams: number }
}

export interface LoadReport {
  readonly complete: number
  readonly failed: number
  /** What the first failure was. */
  readonly failure: string
  /** Server-sent events received. */
  readonly events: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Between two pieces of one stream. */
  readonly gapP50Ms: number
  readonly gapP99Ms: number
}

const EVENT = Buffer.from('data:')
/** Streams opened at the same moment when many are to be held open. */
const OPENING = 250

interface Tally {
  complete: number
  failed: number
  failure: string
  events: number
  readonly latenciesMs: number[]
  readonly gapsMs: number[]
}

function callOnce(plan: LoadPlan, agent: Agent, tally: Tally, onFirstByte: () => void = () => {}): Promise<void> {
  return new Promise((resolve) => {
    const started = performance.now()
    const settle = (failure: string) => {
      if (failure === '') {
        tally.complete++
        tally.latenciesMs.push(performance.now() - started)
      } else {
        tally.failed++
        tally.failure ||= failure
      }
      resolve()
    }
    const outgoing = request(plan.url, { method: 'POST', headers: plan.headers, agent }, (response) => {
      const chunks: Buffer[] = []
      let done = false
      let last = 0
      response.once('data', onFirstByte)
      response.on('data', (chunk: Buffer) => {
        if (!plan.stream) return chunks.push(chunk)
        const now = performance.now()
        if (last !== 0) tally.gapsMs.push(now - last)
        last = now
        for (let at = chunk.indexOf(EVENT); at !== -1; at = chunk.indexOf(EVENT, at + EVENT.length)) tally.events++
        done ||= chunk.includes(ending)
      })
      response.on('error', (error) => settle(error.message))
      response.on('end', () => {
        if (response.statusCode !== 200)
          return settle(`status ${response.statusCode}: ${Buffer.concat(chunks).toString()}`)
        if (plan.stream) return settle(done ? '' : `the stream ended without ${ending.toString()}`)
        settle(isJson(Buffer.concat(chunks)) ? '' : 'the body is no JSON')
      })
    })
    outgoing.on('error', (error) => settle(error.message))
    outgoing.end(body)
  })
}

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString())
    return true
  } catch {
    return false
  }
}

async function runClosed(connections: number, requests: number, call: () => Promise<void>): Promise<void> {
  let left = requests
  const worker = async () => {
    while (left-- > 0) await call()
  }
  await Promise.all(Array.from({ length: connections }, worker))
}

async function runPaced(perSecond: number, requests: number, call: () => Promise<void>): Promise<void> {
  const started = performance.now()
  const calls: Promise<void>[] = []
  for (let n = 0; n < requests; n++) {
    const wait = started + (n * 1000) / perSecond - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    calls.push(call())
  }
  await Promise.all(calls)
}

async function runHeld(streams: number, call: (onFirstByte: () => void) => Promise<void>): Promise<void> {
  for (let opened = 0; opened < streams; opened += OPENING) {
    const batch = Array.from({ length: Math.min(OPENING, streams - opened) }, () => {
      return new Promise<void>((resolve) => void call(resolve).then(resolve))
    })
    await Promise.all(batch)
  }
  console.log('open')
  await new Promise((resolve) => process.stdin.on('end', resolve).resume())
}

const plan = JSON.parse(process.argv[2] ?? '') as LoadPlan
const ending = Buffer.from(plan.ending ?? 'data: [DONE]')
const body = plan.body.replace('PICTURE', 'iVBORw0KGgoA'.repeat(Math.ceil((plan.pictureBytes ?? 0) / 12)))
const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
const tally: Tally = { complete: 0, failed: 0, failure: '', events: 0, latenciesMs: [], gapsMs: [] }
const started = performance.now()
const { pattern } = plan
if (pattern.kind === 'closed')
  await runClosed(pattern.connections, pattern.requests, () => callOnce(plan, agent, tally))
else if (pattern.kind === 'paced')
  await runPaced(pattern.perSecond, pattern.requests, () => callOnce(plan, agent, tally))
else await runHeld(pattern.streams, (onFirstByte) => callOnce(plan, agent, tally, onFirstByte))
const { latenciesMs, gapsMs, ...counts } = tally
const report: LoadReport = {
  ...counts,
  seconds: (performance.now() - started) / 1000,
  p50Ms: percentile(latenciesMs, 0.5),
  p99Ms: percentile(latenciesMs, 0.99),
  gapP50Ms: percentile(gapsMs, 0.5),
  gapP99Ms: percentile(gapsMs, 0.99),
}
console.log(JSON.stringify(report))
process.exit(0)
