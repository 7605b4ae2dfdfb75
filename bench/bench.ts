import { parseArgs } from 'node:util'
import { startEmulatorProcess } from '@sluice/testkit/gateway-process'
import budgets from './budgets.json' with { type: 'json' }
import { LABELS, ratiosOf, type Round, verdicts } from './ratios.ts'
import { type Effort, measure, measureMemory, MODEL, warmUp } from './scenarios.ts'
import { median } from './statistics.ts'
import { bare, direct, nginx, portkey, sluice, type Target } from './targets.ts'

/**
 * Measures the gateway beside a direct call, nginx and Portkey. The targets take turns within each round, so a machine
 * that gets slower hits all of them, and only ratios within a round are judged: many short rounds, because what else a machine
 * does comes and goes within seconds, and costs a large program more than a small one. `--quick` does one round.
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const rounds = values.quick ? 1 : 15
const EFFORT: Effort = { jsonRequests: 3_000, streams: 128, pacedRequests: 200 }
const HELD_STREAMS = 1_000

if (process.platform !== 'linux') {
  console.error('The bench reads CPU and memory from /proc, so it runs on Linux only.')
  process.exit(1)
}

const emulator = await startEmulatorProcess()
const starters: readonly (() => Promise<Target>)[] = [
  () => direct(emulator.url),
  () => nginx(emulator.url, process.env['BENCH_NGINX'] ?? 'nginx'),
  () => bare(emulator.url),
  () => sluice(emulator.url, Object.values(MODEL)),
  () => portkey(emulator.url),
]
const targets: Target[] = []
try {
  const memory: Record<string, Awaited<ReturnType<typeof measureMemory>>> = {}
  for (const start of starters) {
    const target = await start()
    targets.push(target)
    console.log(`${target.name}: memory and warm-up`)
    memory[target.name] = await measureMemory(target, HELD_STREAMS)
    await warmUp(target)
  }
  const measured: Round[] = []
  for (let round = 1; round <= rounds; round++) {
    console.log(`round ${round} of ${rounds}`)
    const figures: Partial<Record<Target['name'], Awaited<ReturnType<typeof measure>>>> = {}
    for (const target of targets) figures[target.name] = await measure(target, EFFORT)
    measured.push(figures as Round)
  }
  report(measured, memory)
} finally {
  for (const target of targets) await target.stop()
  await emulator.stop()
}

function report(
  measured: readonly Round[],
  memory: Readonly<Record<string, { idleMb: number; heldMb: number }>>,
): void {
  const names = targets.map((target) => target.name)
  const row = (label: string, cell: (name: Target['name']) => number, digits: number) => {
    const cells = names.map((name) => {
      const value = cell(name)
      return (Number.isNaN(value) ? '–' : value.toFixed(digits)).padStart(9)
    })
    console.log(label.padEnd(38) + cells.join(''))
  }
  console.log(`\n${''.padEnd(38)}${names.map((name) => name.padStart(9)).join('')}`)
  const middle = (pick: (round: Round, name: Target['name']) => number) => (name: Target['name']) =>
    median(measured.map((round) => pick(round, name)))
  row(
    'CPU per JSON request, µs',
    middle((round, name) => round[name].jsonCpuUs),
    1,
  )
  row(
    'CPU per streamed chunk, µs',
    middle((round, name) => round[name].chunkCpuUs),
    1,
  )
  row(
    'latency p50, provider takes 20 ms, ms',
    middle((round, name) => round[name].p50Ms),
    2,
  )
  row(
    'latency p99, ms',
    middle((round, name) => round[name].p99Ms),
    2,
  )
  row('resident at rest, MB', (name) => memory[name]?.idleMb ?? NaN, 0)
  row(`resident with ${HELD_STREAMS} open streams, MB`, (name) => memory[name]?.heldMb ?? NaN, 0)

  const ratios = ratiosOf(measured, memory['Sluice']?.heldMb ?? NaN)
  const results = verdicts(ratios, budgets)
  console.log('\nbudget                                     measured    limit      aim')
  for (const { name, value, limit, aim, verdict } of results) {
    const cells = [value, limit, aim].map((number) => String(Number(number.toPrecision(3))).padStart(9))
    console.log(`${LABELS[name].padEnd(42)}${cells.join('')}  ${verdict}`)
  }
  if (results.some(({ verdict }) => verdict === 'EXCEEDED')) process.exitCode = 1
}
