import { spawn } from 'node:child_process'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startEmulatorProcess } from '@sluice/testkit/gateway-process'
import { checkBudget } from './check-budget.ts'
import { usageOf, waitedNs } from './process-usage.ts'
import budgets from './slow-stream-budgets.json' with { type: 'json' }
import type { SlowStreamsPlan, SlowStreamsReport, StreamsReport } from './slow-stream-clients.ts'
import { direct, sluice, type Target } from './targets.ts'

/**
 * Many slow streams at once on one process, with a token per second each: how much memory and processor time a stream takes, and
 * how much later its tokens arrive than those of concurrent streams without the gateway. Provider, gateway and clients are separate
 * processes. Every stream must reach its end, and the ledger must have all of them.
 */
const { values } = parseArgs({
  options: { streams: { type: 'string', default: '5000' }, seconds: { type: 'string', default: '20' } },
})
const streams = Number(values.streams)
const measuredMs = Number(values.seconds) * 1_000
/** Streams without the gateway, for the difference. */
const DIRECT_STREAMS = 250
const PACE_MS = 1_000
const OPENING_MS = 10_000
/** Streams last until all are open and measured; opening takes longer on a slow machine. */
const TOKENS = Math.ceil((2 * OPENING_MS + measuredMs) / PACE_MS)
const MODEL = `emu-time-${TOKENS}-${PACE_MS}`
const WARM_UP = 'emu-fast'
/** File descriptors for two connections per stream, and some more. */
const FILES = 2 * streams + 500

if (process.platform !== 'linux') {
  console.error('The bench reads CPU and memory from /proc, so it runs on Linux only.')
  process.exit(1)
}

console.log(`${streams} streams, one token in ${PACE_MS} ms, ${FILES} files needed; load of the machine ${load()}`)
const emulator = await startEmulatorProcess()
const shortWay = direct(emulator)
const target = await sluice(emulator.url, [MODEL, WARM_UP])
try {
  await measure(target)
} finally {
  await target.stop()
  await emulator.stop()
}
console.log(`load of the machine at the end ${load()}`)

async function measure({ url, headers, pid }: Target): Promise<void> {
  await runClients(planFor({ url, headers }, WARM_UP, 64), () => {})
  await delay(2_000)
  const look = () => ({ ...usageOf(pid), waitedNs: waitedNs(pid), at: performance.now() })
  const rest = look()
  let open = rest
  let late = open
  let timer: NodeJS.Timeout | undefined
  const report = await runClients(planFor({ url, headers }, MODEL, streams), () => {
    open = look()
    timer = setTimeout(() => (late = look()), measuredMs - 500)
  })
  clearTimeout(timer)
  await delay(5_000)
  const memory = { rest: rest.rssBytes, open: late.rssBytes, after: usageOf(pid).rssBytes }
  const shareOf = (ns: number) => ns / 1e6 / (late.at - open.at)
  print(report, memory, shareOf(late.cpuNs - open.cpuNs), shareOf(late.waitedNs - open.waitedNs))
}

function planFor(to: Pick<Target, 'url' | 'headers'>, model: string, count: number): SlowStreamsPlan {
  const messages = [{ role: 'user', content: 'How does the water find its way through the gates? '.repeat(8) }]
  const body = JSON.stringify({ model, messages, stream: true, stream_options: { include_usage: true } })
  const { url, headers } = shortWay
  const [through, direct] = [
    { ...to, streams: count },
    { url, headers, streams: Math.min(count, DIRECT_STREAMS) },
  ]
  return model === WARM_UP
    ? { through, direct, body, openingMs: 0, measuredMs: 0 }
    : { through, direct, body, openingMs: OPENING_MS, measuredMs }
}

function runClients(plan: SlowStreamsPlan, onOpen: () => void): Promise<SlowStreamsReport> {
  return new Promise((resolve, reject) => {
    const script = join(import.meta.dirname, 'slow-stream-clients.ts')
    const args = ['--disable-warning=ExperimentalWarning', script, JSON.stringify(plan)]
    const child = spawn(process.execPath, args, { timeout: 300_000 })
    let output = ''
    let isOpen = false
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      if (!isOpen && /^open$/m.test(output)) {
        isOpen = true
        onOpen()
      }
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(JSON.parse(output.trim().split('\n').at(-1) ?? '') as SlowStreamsReport)
      else reject(new Error(`the clients ended with ${code}:\n${output}`))
    })
  })
}

/** `memory` in bytes; `cpu` as a share of one core; `waited`: the share of the time for which the machine was too busy. */
function print(
  { through, direct: beside }: SlowStreamsReport,
  memory: { readonly rest: number; readonly open: number; readonly after: number },
  cpu: number,
  waited: number,
): void {
  const line = (name: string, ...cells: readonly number[]) =>
    console.log(name.padEnd(44) + cells.map((cell) => cell.toFixed(1).padStart(10)).join(''))
  const row = (name: string, cell: (of: StreamsReport) => number) => line(name, cell(beside), cell(through))
  console.log(`\n${''.padEnd(44)}${['direct', 'Sluice'].map((name) => name.padStart(10)).join('')}`)
  row('streams that came to their end', ({ complete }) => complete)
  row('tokens measured', ({ tokens }) => tokens)
  row('from the provider to the client, p50, ms', ({ delayMs }) => delayMs.p50)
  row('  p99, ms', ({ delayMs }) => delayMs.p99)
  row('  longest, ms', ({ delayMs }) => delayMs.longest)
  row('between two tokens of a stream, p50, ms', ({ gapMs }) => gapMs.p50)
  row('  p99, ms', ({ gapMs }) => gapMs.p99)
  row('  longest, ms', ({ gapMs }) => gapMs.longest)
  line('\nresident at rest, MB', memory.rest / 1e6)
  line('resident with all streams open, MB', memory.open / 1e6)
  line('resident 5 s after their end, MB', memory.after / 1e6)
  line('processor, share of one core, %', cpu * 100)
  line('waited for a core, % of the time', waited * 100)
  line('processor per token, µs', (cpu * 1e6) / (streams / (PACE_MS / 1_000)))
  console.log()
  checkBudget('perStreamKb', budgets.perStreamKb, (memory.open - memory.rest) / streams / 1_000)
  checkBudget('addedP50Ms', budgets.addedP50Ms, through.delayMs.p50 - beside.delayMs.p50)
  checkBudget('addedP99Ms', budgets.addedP99Ms, through.delayMs.p99 - beside.delayMs.p99)
  const failure = through.failure || beside.failure
  if (failure === '' && through.complete === streams) return
  console.log(`${streams - through.complete} streams did not come to their end; the first: ${failure}`)
  process.exitCode = 1
}

/** Average number of runnable processes over the last minute. */
function load(): string {
  return (loadavg()[0] ?? NaN).toFixed(2)
}
