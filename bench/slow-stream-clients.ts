import { Agent, request } from 'node:http'
import { percentile } from './statistics.ts'

/**
 * The clients of `slow-streams.ts`, a separate process: `node slow-stream-clients.ts '<SlowStreamsPlan as JSON>'`. Opens all
 * streams, prints `open` when each has had its first token, and at the end one `SlowStreamsReport` as JSON on its last line. Each
 * token is its own send time, by the clock that this process also uses.
 */
export interface SlowStreamsPlan {
  readonly through: StreamsPlan
  /** Opened in addition on the direct path, so that other load on the machine affects both. */
  readonly direct: StreamsPlan
  readonly body: string
  /** Milliseconds over which they are opened. */
  readonly openingMs: number
  /** Milliseconds for which tokens are measured once all are open. */
  readonly measuredMs: number
}

export interface StreamsPlan {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly streams: number
}

export interface SlowStreamsReport {
  readonly through: StreamsReport
  readonly direct: StreamsReport
}

export interface StreamsReport {
  /** Streams that reached `data: [DONE]`. */
  readonly complete: number
  /** Failure of the first stream that did not; empty for none. */
  readonly failure: string
  readonly tokens: number
  /** From the provider's write to the client's read. */
  readonly delayMs: Spread
  /** Between two tokens of one stream. */
  readonly gapMs: Spread
}

export interface Spread {
  readonly p50: number
  readonly p99: number
  readonly longest: number
}

const MOMENT = /"content":" (\d+(?:\.\d+)?)"/g

const plan = JSON.parse(process.argv[2] ?? '') as SlowStreamsPlan
const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
const now = () => performance.timeOrigin + performance.now()
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
let measuring = false

interface Tally {
  complete: number
  failure: string
  readonly delays: number[]
  readonly gaps: number[]
}

function openStream({ url, headers }: StreamsPlan, tally: Tally, onFirst: () => void): Promise<void> {
  return new Promise((resolve) => {
    const settle = (problem: string) => {
      if (problem === '') tally.complete++
      tally.failure ||= problem
      onFirst()
      resolve()
    }
    const outgoing = request(url, { method: 'POST', headers, agent }, (response) => {
      let last = 0
      let tail = ''
      response.setEncoding('latin1')
      response.once('data', onFirst)
      response.on('data', (text: string) => {
        const arrived = now()
        tail = text.slice(-32)
        if (measuring) {
          for (const [, moment] of text.matchAll(MOMENT)) tally.delays.push(arrived - Number(moment))
          if (last !== 0) tally.gaps.push(arrived - last)
        }
        last = arrived
      })
      response.on('error', (error) => settle(error.message))
      response.on('end', () => {
        const isWhole = response.statusCode === 200 && tail.endsWith('data: [DONE]\n\n')
        settle(isWhole ? '' : `status ${response.statusCode}, ended with ${JSON.stringify(tail)}`)
      })
    })
    outgoing.on('error', (error) => settle(error.message))
    outgoing.end(plan.body)
  })
}

/** Opens streams evenly over the opening time; when all have had their first token, resolves to a promise of their ends. */
async function openAll(streams: StreamsPlan, tally: Tally): Promise<{ readonly ends: Promise<unknown> }> {
  const started = now()
  const [opened, ended]: [Promise<void>[], Promise<void>[]] = [[], []]
  for (let number = 0; number < streams.streams; number++) {
    const early = started + (number * plan.openingMs) / streams.streams - now()
    if (early > 1) await wait(early)
    opened.push(new Promise((resolve) => void ended.push(openStream(streams, tally, resolve))))
  }
  await Promise.all(opened)
  return { ends: Promise.all(ended) }
}

function spread(values: readonly number[]): Spread {
  return { p50: percentile(values, 0.5), p99: percentile(values, 0.99), longest: percentile(values, 1) }
}

const reportOf = ({ complete, failure, delays, gaps }: Tally): StreamsReport => ({
  complete,
  failure,
  tokens: delays.length,
  delayMs: spread(delays),
  gapMs: spread(gaps),
})

const newTally = (): Tally => ({ complete: 0, failure: '', delays: [], gaps: [] })
const [through, direct] = [newTally(), newTally()]
const open = await Promise.all([openAll(plan.through, through), openAll(plan.direct, direct)])
console.log('open')
measuring = true
await wait(plan.measuredMs)
measuring = false
await Promise.all(open.map(({ ends }) => ends))
const report: SlowStreamsReport = { through: reportOf(through), direct: reportOf(direct) }
console.log(JSON.stringify(report))
process.exit(0)
