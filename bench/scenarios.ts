import { setTimeout as delay } from 'node:timers/promises'
import { type Expected, lowerPace, whyBehind } from './compare/keeping-up.ts'
import type { LoadPlan, LoadReport, Pattern } from './load-plan.ts'
import { usageOf } from './process-usage.ts'
import { holdStreams, tryLoad } from './run-load.ts'
import type { Target } from './targets.ts'
import type { CpuByGroup } from './thread-groups.ts'

/** Amount of work of one round; `quick` is for one short round. */
export type Effort = 'full' | 'quick'

export interface Scenario {
  readonly label: string
  readonly unit: 'request' | 'chunk'
  readonly model: (effort: Effort) => string
  readonly pattern: (effort: Effort) => Pattern
  readonly expected: Expected
}

export interface Reading {
  /** Microseconds of CPU per request or per chunk, by thread group; on the direct path, of the bench's own provider and client. */
  readonly cpuUs: CpuByGroup
  readonly p50Ms: number
  readonly p99Ms: number
  /** Why the figures mean nothing: the target could not keep up. */
  readonly behind?: string
  /** The lower load at which the figures were measured. */
  readonly slower?: string
}

/** The emulator's models that the bench calls: a short answer, 100 events 10 ms apart, 20 ms to the head, ten minutes. */
export const MODEL = {
  json: 'emu-fast',
  stream: 'emu-pace-100-10',
  latency: 'emu-delay-20',
  held: 'emu-pace-600-1000',
} as const

const MEASURED_MS: Readonly<Record<Effort, number>> = { full: 2_000, quick: 1_000 }
/** Slower targets make fewer calls. */
const CLOSED_MS = 5_000
const WARM_UP_MS = 20_000
/** Lets a target finish remaining work. */
const SETTLING_MS = 1_000

function closed(connections: number, full: number, quick: number): Scenario {
  return {
    label: `closed loop, ${connections} ${connections === 1 ? 'connection' : 'connections'}`,
    unit: 'request',
    model: () => MODEL.json,
    pattern: (effort) => ({
      kind: 'closed',
      connections,
      requests: effort === 'full' ? full : quick,
      withinMs: CLOSED_MS,
    }),
    expected: { providerMs: 0, gapMs: 0 },
  }
}

function paced(perSecond: number, full: number, quick: number): Scenario {
  return {
    label: `${perSecond.toLocaleString('en')} requests a second`,
    unit: 'request',
    model: () => MODEL.latency,
    pattern: (effort) => ({ kind: 'paced', perSecond, requests: effort === 'full' ? full : quick }),
    expected: { providerMs: 20, gapMs: 0 },
  }
}

/** Opening 1,000 streams takes a moment, so it is spread over a period, and their chunks do not all come at once. */
function steady(perSecond: number, streams: number): Scenario {
  const gapMs = Math.round(1000 / perSecond)
  const [openingMs, patienceMs] = streams > 100 ? [2_500, 2_500] : [500, 500]
  const tokens = (effort: Effort) => Math.ceil((openingMs + patienceMs + MEASURED_MS[effort]) / gapMs)
  return {
    label: `${streams.toLocaleString('en')} streams of ${perSecond} chunks a second`,
    unit: 'chunk',
    model: (effort) => `emu-pace-${tokens(effort)}-${gapMs}`,
    pattern: (effort) => ({ kind: 'steady', streams, openingMs, patienceMs, measuredMs: MEASURED_MS[effort] }),
    expected: { providerMs: 0, gapMs },
  }
}

/**
 * In the order of the table and of the measurements of each target. Light loads come first, after the target rested while others
 * were measured: the aftermath of a heavy load, such as garbage collection, must not count for a light one.
 */
export const SCENARIOS = {
  rate50: paced(50, 100, 75),
  rate200: paced(200, 400, 300),
  rate1000: paced(1_000, 2_000, 1_000),
  closed1: closed(1, 800, 400),
  closed4: closed(4, 1_500, 1_000),
  closed32: closed(32, 3_000, 2_000),
  shortStreams: {
    label: '128 streams of 100 chunks, calls included',
    unit: 'chunk',
    model: () => MODEL.stream,
    pattern: () => ({ kind: 'closed', connections: 128, requests: 128 }),
    expected: { providerMs: 0, gapMs: 10 },
  },
  pace20by100: steady(20, 100),
  pace20by1000: steady(20, 1_000),
  pace60by100: steady(60, 100),
  pace60by1000: steady(60, 1_000),
} satisfies Readonly<Record<string, Scenario>>

export type ScenarioName = keyof typeof SCENARIOS

export const SCENARIO_NAMES = Object.keys(SCENARIOS) as readonly ScenarioName[]

/** All models that a bench of this effort requests. */
export function modelsOf(effort: Effort): readonly string[] {
  const asked = SCENARIO_NAMES.map((name) => SCENARIOS[name].model(effort))
  return [...new Set([...Object.values(MODEL), ...asked])]
}

/** When calls fail, the figure cannot be measured. */
export async function measure(target: Target, name: ScenarioName, effort: Effort): Promise<Reading> {
  const scenario: Scenario = SCENARIOS[name]
  const pattern = scenario.pattern(effort)
  const plan = planFor(target, scenario.model(effort), scenario.unit === 'chunk', pattern)
  const report = await tryLoad(plan)
  const behind = whyBehind(report, pattern, scenario.expected)
  const slower = lowerPace(report, pattern, scenario.expected)
  const units = scenario.unit === 'chunk' ? report.events : report.complete
  const cpuNs = target.name === 'direct' ? ownCpuNs(report) : report.cpuNs
  const cpuUs = Object.fromEntries(Object.entries(cpuNs).map(([group, ns]) => [group, ns / 1_000 / units]))
  const reading = { cpuUs, p50Ms: report.p50Ms, p99Ms: report.p99Ms }
  if (behind !== undefined) {
    // Remaining work must not be part of the next measurement.
    await delay(SETTLING_MS)
    return { ...reading, behind }
  }
  return slower === undefined ? reading : { ...reading, slower }
}

function ownCpuNs({ cpuNs, clientCpuNs }: LoadReport): CpuByGroup {
  return { provider: Object.values(cpuNs).reduce((sum, ns) => sum + ns, 0), client: clientCpuNs }
}

export interface Memory {
  readonly idleMb: number
  /** NaN when the target did not open the streams. */
  readonly heldMb: number
}

/** Memory of a freshly started target at rest, then with this many streams open for some seconds. */
export async function measureMemory({ url, headers, pid }: Target, streams: number): Promise<Memory> {
  const idleMb = usageOf(pid).rssBytes / 1e6
  const holder = await holdStreams({ url, headers, body: requestBody(MODEL.held, true) }, streams).catch(
    () => undefined,
  )
  if (holder === undefined) return { idleMb, heldMb: NaN }
  await delay(4_000)
  const heldMb = usageOf(pid).rssBytes / 1e6
  await holder.kill()
  // The target notices that a thousand clients have disconnected.
  await delay(SETTLING_MS)
  return { idleMb, heldMb }
}

/** Warm-up until code is compiled and connections are open, as in a long-running process. Long calls are fewer. */
export async function warmUp(target: Target, effort: Effort): Promise<void> {
  const requests = effort === 'full' ? 30_000 : 10_000
  await tryLoad(planFor(target, MODEL.json, false, { kind: 'closed', connections: 32, requests, withinMs: WARM_UP_MS }))
  await tryLoad(
    planFor(target, MODEL.stream, true, { kind: 'closed', connections: 64, requests: effort === 'full' ? 384 : 128 }),
  )
}

function planFor({ url, headers, pid }: Target, model: string, stream: boolean, pattern: Pattern): LoadPlan {
  return { url, headers, body: requestBody(model, stream), stream, pattern, pid }
}

/** About 1 kB, like a short conversation. */
export function requestBody(model: string, stream: boolean): string {
  const messages = [
    { role: 'system', content: 'You are the keeper of a lock on a canal. '.repeat(10) },
    { role: 'user', content: 'How does the water find its way through the gates? '.repeat(8) },
  ]
  return JSON.stringify({ model, messages, ...(stream ? { stream, stream_options: { include_usage: true } } : {}) })
}
