import { setTimeout as delay } from 'node:timers/promises'
import { usageOf } from './process-usage.ts'
import { holdStreams, runLoad } from './run-load.ts'
import type { Target } from './targets.ts'

/** What one round measured at one target. */
export interface Figures {
  /** Microseconds of CPU for one small JSON call; NaN for the direct way. */
  readonly jsonCpuUs: number
  /** Microseconds of CPU for one event of a stream, the call itself included. */
  readonly chunkCpuUs: number
  /** Latency at a fixed rate, the provider taking 20 ms. */
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Amount of work of one round. */
export interface Effort {
  readonly jsonRequests: number
  readonly streams: number
  readonly pacedRequests: number
}

/** The emulator's models that the bench calls: a short answer, 100 events 10 ms apart, 20 ms to the head, ten minutes. */
export const MODEL = {
  json: 'emu-fast',
  stream: 'emu-pace-100-10',
  latency: 'emu-delay-20',
  held: 'emu-pace-600-1000',
} as const

const JSON_CONNECTIONS = 32
const STREAM_CONNECTIONS = 128
const PACED_PER_SECOND = 200

export async function measure(target: Target, effort: Effort): Promise<Figures> {
  const { pid } = target
  const json = await withCpu(pid, () =>
    load(target, MODEL.json, false, { kind: 'closed', connections: JSON_CONNECTIONS, requests: effort.jsonRequests }),
  )
  const stream = await withCpu(pid, () =>
    load(target, MODEL.stream, true, { kind: 'closed', connections: STREAM_CONNECTIONS, requests: effort.streams }),
  )
  const paced = await load(target, MODEL.latency, false, {
    kind: 'paced',
    perSecond: PACED_PER_SECOND,
    requests: effort.pacedRequests,
  })
  return {
    jsonCpuUs: json.cpuUs / json.report.complete,
    chunkCpuUs: stream.cpuUs / stream.report.events,
    p50Ms: paced.p50Ms,
    p99Ms: paced.p99Ms,
  }
}

export interface Memory {
  readonly idleMb: number
  readonly heldMb: number
}

/** Memory of a freshly started target at rest, then with this many streams open for some seconds. */
export async function measureMemory(target: Target, streams: number): Promise<Memory> {
  const { pid } = target
  if (pid === undefined) return { idleMb: NaN, heldMb: NaN }
  const idleMb = usageOf(pid).rssBytes / 1e6
  const { url, headers } = target
  const holder = await holdStreams({ url, headers, body: requestBody(MODEL.held, true) }, streams)
  await delay(4_000)
  const heldMb = usageOf(pid).rssBytes / 1e6
  await holder.kill()
  // the target notices that a thousand clients left; that is not part of the next measurement
  await delay(1_000)
  return { idleMb, heldMb }
}

/** Calls of each kind, until code is compiled and connections stand: a process in service has been up for longer than this. */
export async function warmUp(target: Target): Promise<void> {
  await load(target, MODEL.json, false, { kind: 'closed', connections: JSON_CONNECTIONS, requests: 30_000 })
  await load(target, MODEL.stream, true, { kind: 'closed', connections: 64, requests: 384 })
}

function load(target: Target, model: string, stream: boolean, pattern: Parameters<typeof runLoad>[0]['pattern']) {
  const { url, headers } = target
  return runLoad({ url, headers, body: requestBody(model, stream), stream, pattern })
}

/** About 1 kB, as a short conversation has. */
function requestBody(model: string, stream: boolean): string {
  const messages = [
    { role: 'system', content: 'You are the keeper of a lock on a canal. '.repeat(10) },
    { role: 'user', content: 'How does the water find its way through the gates? '.repeat(8) },
  ]
  return JSON.stringify({ model, messages, ...(stream ? { stream, stream_options: { include_usage: true } } : {}) })
}

async function withCpu<T>(pid: number | undefined, work: () => Promise<T>): Promise<{ cpuUs: number; report: T }> {
  const before = pid === undefined ? NaN : usageOf(pid).cpuNs
  const report = await work()
  const after = pid === undefined ? NaN : usageOf(pid).cpuNs
  return { cpuUs: (after - before) / 1_000, report }
}
