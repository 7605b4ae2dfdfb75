import { setTimeout as delay } from 'node:timers/promises'
import type { Destination, LoadPlan, LoadReport, Pattern } from './load-plan.ts'
import { threadsOf } from './process-usage.ts'
import { percentile } from './statistics.ts'
import { cpuByGroup } from './thread-groups.ts'
import { Caller } from './wire/caller.ts'

/**
 * The load generator, a separate process: `node load.ts '<LoadPlan as JSON>'`. Prints one `LoadReport` as JSON on its last line. An
 * answer counts when it is complete and has the plan's `ending`.
 */
const EVENT = Buffer.from('data:')
/** How many streams are opened at the same moment when many are to be held open. */
const OPENING = 250

interface Tally {
  complete: number
  failed: number
  failure: string
  events: number
  pieces: number
  readonly lagsMs: number[]
  readonly latenciesMs: number[]
  readonly gapsMs: number[]
}

async function callOnce(caller: Caller, onFirstByte: () => void = () => {}): Promise<void> {
  const started = performance.now()
  let last = 0
  let isDone = false
  const failure = await caller.call((piece) => {
    const now = performance.now()
    if (last === 0) onFirstByte()
    else if (plan.stream) tally.gapsMs.push(now - last)
    last = now
    tally.pieces++
    for (let at = piece.indexOf(EVENT); at !== -1; at = piece.indexOf(EVENT, at + EVENT.length)) tally.events++
    isDone ||= piece.includes(ending)
  })
  if (failure === '' && isDone) {
    tally.complete++
    tally.latenciesMs.push(performance.now() - started)
  } else {
    tally.failed++
    tally.failure ||= failure || `the answer ended without ${ending.toString()}`
  }
}

async function runClosed({
  connections,
  requests,
  withinMs = Infinity,
}: Extract<Pattern, { kind: 'closed' }>): Promise<void> {
  const latest = performance.now() + withinMs
  const workersOf = (caller: Caller) => {
    let left = requests
    const worker = async () => {
      while (left-- > 0 && performance.now() < latest) await callOnce(caller)
    }
    return Array.from({ length: connections }, worker)
  }
  await Promise.all(callers.flatMap(workersOf))
}

async function runPaced(perSecond: number, requests: number): Promise<void> {
  const started = performance.now()
  const calls: Promise<void>[] = []
  for (let n = 0; n < requests * callers.length; n++) {
    const due = started + (n * 1000) / (perSecond * callers.length)
    const wait = due - performance.now()
    if (wait > 0) await delay(wait)
    tally.lagsMs.push(performance.now() - due)
    calls.push(callOnce(callers[n % callers.length] ?? first))
  }
  await Promise.all(calls)
}

async function runSteady({ streams, openingMs, patienceMs, measuredMs }: Extract<Pattern, { kind: 'steady' }>) {
  const started = performance.now()
  const ended: Promise<void>[] = []
  let opened = 0
  const allOpen = Promise.withResolvers<void>()
  const onOpen = () => {
    if (++opened === streams) allOpen.resolve()
  }
  for (let number = 0; number < streams; number++) {
    const early = started + (number * openingMs) / streams - performance.now()
    if (early > 1) await delay(early)
    ended.push(callOnce(first, onOpen))
  }
  await Promise.race([allOpen.promise, delay(started + openingMs + patienceMs - performance.now())])
  const measured = { opened, from: look() }
  await delay(measuredMs)
  const found = { ...since(measured.from), opened: measured.opened }
  await Promise.race([Promise.all(ended), delay(openingMs + 2 * patienceMs)])
  return found
}

async function runHeld(streams: number): Promise<void> {
  for (let opened = 0; opened < streams; opened += OPENING) {
    const batch = Array.from({ length: Math.min(OPENING, streams - opened) }, () => {
      return new Promise<void>((resolve) => void callOnce(first, resolve).then(resolve))
    })
    await Promise.all(batch)
  }
  console.log('open')
  await new Promise((resolve) => process.stdin.on('end', resolve).resume())
}

const look = () => ({
  at: performance.now(),
  own: process.cpuUsage(),
  threads: pids.flatMap(threadsOf),
  server: server === undefined ? [] : threadsOf(server.pid).filter(({ process }) => !server.except.includes(process)),
  events: tally.events,
  pieces: tally.pieces,
})

function since(earlier: ReturnType<typeof look>) {
  const now = look()
  const own = process.cpuUsage(earlier.own)
  return {
    seconds: (now.at - earlier.at) / 1000,
    clientCpuNs: (own.user + own.system) * 1_000,
    cpuNs: cpuByGroup(earlier.threads, now.threads),
    serverCpuNs: Object.values(cpuByGroup(earlier.server, now.server)).reduce((sum, ns) => sum + ns, 0),
    events: now.events - earlier.events,
    pieces: now.pieces - earlier.pieces,
    opened: 0,
  }
}

function lastQuarter(values: readonly number[]): readonly number[] {
  return values.slice(-Math.ceil(values.length / 4))
}

function callerOf({ url, keys }: Destination): Caller {
  return new Caller(
    url,
    keys.map((key) => ({ ...plan.headers, authorization: `Bearer ${key}` })),
    body,
  )
}

const plan = JSON.parse(process.argv[2] ?? '') as LoadPlan
const ending = Buffer.from(plan.ending ?? (plan.stream ? 'data: [DONE]' : '"usage"'))
const body = plan.body.replace('PICTURE', 'iVBORw0KGgoA'.repeat(Math.ceil((plan.pictureBytes ?? 0) / 12)))
const { destinations = [], server } = plan
const first = new Caller(plan.url, [plan.headers], body)
const callers = destinations.length === 0 ? [first] : destinations.map(callerOf)
const pids = [plan.pid, ...destinations.map(({ pid }) => pid)].filter((pid) => pid !== undefined)
const tally: Tally = {
  complete: 0,
  failed: 0,
  failure: '',
  events: 0,
  pieces: 0,
  lagsMs: [],
  latenciesMs: [],
  gapsMs: [],
}
const started = look()
const { pattern } = plan
let measured: ReturnType<typeof since> | undefined
if (pattern.kind === 'closed') await runClosed(pattern)
else if (pattern.kind === 'paced') await runPaced(pattern.perSecond, pattern.requests)
else if (pattern.kind === 'steady') measured = await runSteady(pattern)
else await runHeld(pattern.streams)
const { complete, failed, failure, latenciesMs, gapsMs, lagsMs } = tally
const report: LoadReport = {
  complete,
  failed,
  failure,
  ...(measured ?? since(started)),
  p50Ms: percentile(latenciesMs, 0.5),
  p99Ms: percentile(latenciesMs, 0.99),
  lateP50Ms: percentile(lastQuarter(latenciesMs), 0.5),
  startLagMs: percentile(lastQuarter(lagsMs), 0.5),
  gapP50Ms: percentile(gapsMs, 0.5),
  gapP99Ms: percentile(gapsMs, 0.99),
}
console.log(JSON.stringify(report))
process.exit(0)
