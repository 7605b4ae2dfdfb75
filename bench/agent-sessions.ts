import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { startEmulatorProcess } from '@sluice/testkit/gateway-process'
import { openRealtimeClient, type RealtimeClient } from '@sluice/testkit/realtime-client'
import { usageOf } from './process-usage.ts'
import { percentile } from './statistics.ts'
import { sluice } from './targets.ts'

/**
 * An agent's session of many tool rounds: with a provider of another dialect, as POSTs that send the whole conversation and over a
 * websocket that sends only new items; and over a websocket with a Responses provider, which the gateway calls by POST and on a
 * websocket. All take their rounds in turn within one run, so other load on the machine affects all. For each: bytes to the gateway
 * and to the provider, time to the first event of an answer, and processor time of the gateway.
 */
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '200' } } })
const rounds = Number(values.rounds)
const RESULT = 'x'.repeat(2_000)
const TOOL = { type: 'function', name: 'read', parameters: { type: 'object', properties: {} }, strict: false }
const MODEL = 'emu-tools'
const OPENAI = 1
/** The same model by Responses, without and with a websocket to the provider. */
const POSTED = 'emu-tools-posted'
const FRAMED = 'emu-tools-framed'
const ASK = { store: false, tools: [TOOL] }

interface Item {
  readonly type?: string
  readonly call_id?: string
}

interface Response {
  readonly id: string
  readonly output: readonly Item[]
}

interface Event {
  readonly type: string
  readonly response?: Response
}

interface Answer {
  readonly response: Response
  readonly bytesUp: number
  readonly firstMs: number
}

type Ask = (items: readonly object[]) => Promise<Answer>

if (process.platform !== 'linux') {
  console.error('The bench reads processor time from /proc, so it runs on Linux only.')
  process.exit(1)
}

console.log(`${rounds} tool rounds of ${RESULT.length} bytes; load of the machine ${loadavg()[0]?.toFixed(1)}`)
const emulator = await startEmulatorProcess()
const channels = [
  { type: OPENAI, models: POSTED, model_mapping: JSON.stringify({ [POSTED]: MODEL }), config: '{"websocket":"off"}' },
  { type: OPENAI, models: FRAMED, model_mapping: JSON.stringify({ [FRAMED]: MODEL }), config: '{"websocket":"on"}' },
]
const target = await sluice(emulator.url, [MODEL], undefined, channels)
try {
  const address = new URL('/v1/responses', target.url).href
  const connect = () => openRealtimeClient(address, [], { headers: { ...target.headers } })
  const sockets = [await connect(), await connect(), await connect()] as const
  const [translated, posted, framed] = sockets
  const ways = [
    openWay('POST', postAsk(address, target.headers)),
    openWay('websocket', socketAsk(translated, MODEL)),
    openWay('websocket, Responses by POST', socketAsk(posted, POSTED)),
    openWay('websocket, Responses by websocket', socketAsk(framed, FRAMED)),
  ]
  const measure = async () => ({ cpuNs: usageOf(target.pid).cpuNs, bytes: await bytesAtProvider(emulator.url) })
  for (let round = 0; round < rounds; round++) {
    for (const way of ways) await way.next(measure)
  }
  for (const way of ways) way.print()
  for (const socket of sockets) await socket.close()
} finally {
  await target.stop()
  await emulator.stop()
}

interface Measured {
  readonly cpuNs: number
  readonly bytes: number
}

/** Total size of all bodies and frames that it received. */
async function bytesAtProvider(url: string): Promise<number> {
  const counts = await fetch(`${url}/emulator/counts`)
  return ((await counts.json()) as Measured).bytes
}

function openWay(name: string, ask: Ask) {
  let next: readonly object[] = [{ role: 'user', content: 'Read the files.' }]
  let bytes = 0
  let cpuNs = 0
  let onward = 0
  const times: number[] = []
  return {
    next: async (measure: () => Promise<Measured>) => {
      const before = await measure()
      const { response, bytesUp, firstMs } = await ask(next)
      const after = await measure()
      cpuNs += after.cpuNs - before.cpuNs
      onward += after.bytes - before.bytes
      bytes += bytesUp
      times.push(firstMs)
      const calls = response.output.filter(({ type }) => type === 'function_call')
      if (calls.length === 0) throw new Error('the model called no tool')
      next = calls.map(({ call_id }) => ({ type: 'function_call_output', call_id, output: RESULT }))
    },
    print: () => {
      const [half, most] = [percentile(times, 0.5), percentile(times, 0.95)].map((ms) => ms.toFixed(1))
      const cpuMs = (cpuNs / 1e6 / times.length).toFixed(2)
      const [up, sent] = [bytes, onward].map((count) => Math.round(count / 1_000))
      console.log(
        `${name}: ${up} kB up, ${sent} kB to the provider, first event after ${half} ms (95 %: ${most} ms), ${cpuMs} ms CPU a round`,
      )
    },
  }
}

/** Sends the whole conversation each time. */
function postAsk(address: string, headers: Readonly<Record<string, string>>): Ask {
  const input: object[] = []
  return async (items) => {
    input.push(...items)
    const body = JSON.stringify({ ...ASK, model: MODEL, input, stream: true })
    const begun = performance.now()
    const reply = await fetch(address, { method: 'POST', headers, body })
    let text = ''
    let firstMs = 0
    for await (const chunk of reply.body ?? []) {
      firstMs ||= performance.now() - begun
      text += new TextDecoder().decode(chunk)
    }
    const last = text.trimEnd().split('\n').at(-1) ?? ''
    const { response } = JSON.parse(last.slice('data: '.length)) as Event
    if (response === undefined) throw new Error(last)
    input.push(...response.output)
    return { response, bytesUp: Buffer.byteLength(body), firstMs }
  }
}

/** Sends only new items, on one connection. */
function socketAsk(socket: RealtimeClient, model: string): Ask {
  let previous: string | undefined
  return async (items) => {
    const reference = previous === undefined ? {} : { previous_response_id: previous }
    const body = JSON.stringify({ type: 'response.create', ...ASK, model, ...reference, input: items })
    const begun = performance.now()
    socket.send(body)
    const begin = await socket.take('response.created', 'error')
    if (begin.type === 'error') throw new Error(JSON.stringify(begin))
    const firstMs = performance.now() - begun
    const { response } = (await socket.take('response.completed')) as Event
    if (response === undefined) throw new Error('no response')
    previous = response.id
    return { response, bytesUp: Buffer.byteLength(body), firstMs }
  }
}
