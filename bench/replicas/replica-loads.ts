import { setTimeout as delay } from 'node:timers/promises'
import { whyBehind } from '../compare/keeping-up.ts'
import type { LoadPlan, LoadReport, Pattern } from '../load-plan.ts'
import { tryLoad } from '../run-load.ts'
import { MODEL, requestBody } from '../scenarios.ts'
import { JSON_BODY } from '../targets.ts'
import type { ReplicaTarget } from './replica-targets.ts'
import type { WatchedServer } from './server-watch.ts'
import type { Waits } from './waits.ts'

/** What one load found of one target in one round; all processes together. */
export interface Reading {
  readonly perSecond: number
  /** Microseconds of CPU per request. */
  readonly gatewayUs: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Missing on SQLite. */
  readonly server?: ServerReading
  /** Why the figures mean nothing. */
  readonly behind?: string
}

export interface ServerReading {
  /** Microseconds of CPU per request. */
  readonly us: number
  readonly walBytes: number
  /** Transactions per request that wrote something. */
  readonly writes: number
  /** Per request; null where the server does not count them. */
  readonly statements: number | null
  readonly waits: Waits
}

export interface ReplicaLoad {
  readonly name: string
  readonly label: string
  readonly pattern: (ms: number) => Pattern
}

/** Milliseconds of a measurement, and of the shorter one after it in which the server is watched. */
export interface Duration {
  readonly measuredMs: number
  readonly watchedMs: number
}

/** More than any target serves in the time. */
const ENDLESS = 1_000_000
/** Lets a target finish remaining work. */
const SETTLING_MS = 1_000

function closed(connections: number): ReplicaLoad {
  const label = `closed loop, ${connections} ${connections === 1 ? 'connection' : 'connections'} per process`
  const pattern = (withinMs: number) => ({ kind: 'closed', connections, requests: ENDLESS, withinMs }) as const
  return { name: `closed${connections}`, label, pattern }
}

function paced(perSecond: number): ReplicaLoad {
  const label = `${perSecond.toLocaleString('en')} requests a second per process`
  const pattern = (ms: number) => ({ kind: 'paced', perSecond, requests: Math.ceil((perSecond * ms) / 1_000) }) as const
  return { name: `rate${perSecond}`, label, pattern }
}

/** Light loads first: the aftermath of a heavy one must not count for them. */
export const LOADS: readonly ReplicaLoad[] = [paced(50), paced(200), paced(1_000), closed(1), closed(8), closed(32)]

/** To warm up; the number of requests is per process, so that each has compiled what it runs often. */
export function warmUpPattern(requests: number, withinMs: number): Pattern {
  return { kind: 'closed', connections: 32, requests, withinMs }
}

/** `providerMs` until the provider answers: 0 or 20. */
export async function measureLoad(
  target: ReplicaTarget,
  load: ReplicaLoad,
  server: WatchedServer | undefined,
  { providerMs, duration }: { readonly providerMs: number; readonly duration: Duration },
): Promise<Reading> {
  const pattern = load.pattern(duration.measuredMs)
  const { report, walBytes, writes } = await runCounted(target, pattern, server, providerMs)
  const { complete, seconds, p50Ms, p99Ms } = report
  const cpuNs = Object.values(report.cpuNs).reduce((sum, ns) => sum + ns, 0)
  const reading = { perSecond: complete / seconds, gatewayUs: cpuNs / 1_000 / complete, p50Ms, p99Ms }
  const behind = whyBehind(report, together(pattern, target), { providerMs, gapMs: 0 })
  if (behind !== undefined) {
    await delay(SETTLING_MS)
    return { ...reading, behind }
  }
  if (server === undefined || target.database === undefined) return reading
  const watch = await server.watch(target.database)
  const watched = await tryLoad(planFor(target, load.pattern(duration.watchedMs), providerMs))
  const { waits, statements } = await watch.stop(watched.complete)
  return {
    ...reading,
    server: {
      us: report.serverCpuNs / 1_000 / complete,
      walBytes: walBytes / complete,
      writes: writes / complete,
      statements: statements === undefined ? null : statements / watched.complete,
      waits,
    },
  }
}

/** A report is about all processes, so the pace is theirs together. */
function together(pattern: Pattern, { processes }: ReplicaTarget): Pattern {
  return pattern.kind === 'paced' ? { ...pattern, perSecond: pattern.perSecond * processes } : pattern
}

async function runCounted(
  target: ReplicaTarget,
  pattern: Pattern,
  server: WatchedServer | undefined,
  providerMs: number,
): Promise<{ readonly report: LoadReport; readonly walBytes: number; readonly writes: number }> {
  const plan = planFor(target, pattern, providerMs)
  if (server === undefined || target.database === undefined) {
    return { report: await tryLoad(plan), walBytes: 0, writes: 0 }
  }
  const except = await server.othersThan(target.database)
  const before = await server.counts()
  const report = await tryLoad({ ...plan, server: { pid: server.pid, except } })
  const after = await server.counts()
  return { report, walBytes: after.walBytes - before.walBytes, writes: after.writes - before.writes }
}

export function planFor({ destinations }: ReplicaTarget, pattern: Pattern, providerMs: number): LoadPlan {
  const body = requestBody(providerMs === 0 ? MODEL.json : MODEL.latency, false)
  return { url: destinations[0]?.url ?? '', headers: JSON_BODY, body, stream: false, pattern, destinations }
}
