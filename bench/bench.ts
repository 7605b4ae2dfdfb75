import { writeFile } from 'node:fs/promises'
import { cpus, release, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import budgets from './budgets.json' with { type: 'json' }
import { comparisons } from './compare/budgets.ts'
import { drawPicture } from './compare/picture.ts'
import type { Round } from './compare/ratios.ts'
import { type BenchReport, flushOf, type Measured, sectionsOf } from './compare/report.ts'
import { tableOf } from './compare/table.ts'
import { measureFlushes } from './flush.ts'
import { laisky, litellm, oneApi } from './peer-targets.ts'
import { startProviderProcess } from './provider/provider-process.ts'
import {
  type Effort,
  measure,
  measureMemory,
  type Memory,
  modelsOf,
  type Reading,
  SCENARIO_NAMES,
  SCENARIOS,
  type ScenarioName,
  warmUp,
} from './scenarios.ts'
import { bare, direct, nginx, portkey, sluice, type Target, type TargetName } from './targets.ts'

/**
 * Measures the gateway against a direct call, nginx and other gateways. The targets take turns within each round, so a machine that
 * becomes slower affects all of them, and only ratios within a round are judged. Rounds are many and short, because other load on
 * the machine comes and goes within seconds, and affects a large program more than a small one. `--quick` does one round, `--only
 * sluice,bare` these targets, `--json <file>` writes the results, `--picture` draws the README's picture of them.
 */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    json: { type: 'string' },
    picture: { type: 'boolean', default: false },
  },
})
const effort: Effort = values.quick ? 'quick' : 'full'
const rounds = values.quick ? 1 : 8
const HELD_STREAMS = 1_000
const FLUSHES = 200
/** A target that did not keep up with a scenario this many times in its first rounds skips it in the others. */
const TRIES = 2
const { BENCH_NGINX = 'nginx', BENCH_ONE_API, BENCH_LAISKY, BENCH_LITELLM } = process.env

if (process.platform !== 'linux') {
  console.error('The bench reads CPU and memory from /proc, so it runs on Linux only.')
  process.exit(1)
}

const provider = await startProviderProcess()
const models = modelsOf(effort)
const STARTERS: Readonly<Record<TargetName, (() => Promise<Target>) | undefined>> = {
  direct: async () => direct(provider),
  nginx: () => nginx(provider.url, BENCH_NGINX),
  bare: () => bare(provider.url),
  Sluice: () => sluice(provider.url, models),
  Portkey: () => portkey(provider.url),
  'one-api': BENCH_ONE_API ? () => oneApi(provider.url, models, BENCH_ONE_API) : undefined,
  Laisky: BENCH_LAISKY ? () => laisky(provider.url, models, BENCH_LAISKY) : undefined,
  LiteLLM: BENCH_LITELLM ? () => litellm(provider.url, models, BENCH_LITELLM) : undefined,
}
const targets: Target[] = []
try {
  const measured = await run()
  const report = reportOf(measured)
  console.log(`\n${tableOf(report).join('\n')}`)
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`)
  if (values.picture) await drawPicture(report)
  if (report.budgets.some(({ result }) => result === 'EXCEEDED')) process.exitCode = 1
} finally {
  for (const target of targets) await target.stop()
  await provider.stop()
}

async function run(): Promise<Measured> {
  const memory: Partial<Record<TargetName, Memory>> = {}
  for (const start of wanted()) {
    const target = await start()
    targets.push(target)
    console.log(`${target.name}: memory and warm-up`)
    if (target.name !== 'direct') memory[target.name] = await measureMemory(target, HELD_STREAMS)
    await warmUp(target, effort)
  }
  const measured: Round[] = []
  const flushesMs: number[] = []
  for (let round = 1; round <= rounds; round++) {
    console.log(`round ${round} of ${rounds}`)
    flushesMs.push(...measureFlushes(FLUSHES))
    const readings: Partial<Record<TargetName, Partial<Record<ScenarioName, Reading>>>> = {}
    for (const target of targets) {
      const own: Partial<Record<ScenarioName, Reading>> = (readings[target.name] = {})
      const names = SCENARIO_NAMES.filter((name) => isDue(target.name, name, round, measured))
      for (const name of names) own[name] = await measure(target, name, effort)
    }
    measured.push(readings)
  }
  return { rounds: measured, memory, flushesMs }
}

/** Paced streams take long and vary little: every third round. The direct path is only needed for latency. */
function isDue(target: TargetName, name: ScenarioName, round: number, earlier: readonly Round[]): boolean {
  if (SCENARIOS[name].pattern(effort).kind === 'steady' && round % 3 !== 1) return false
  if (target === 'direct' && name !== 'rate200' && round > 1) return false
  const readings = earlier.map((before) => before[target]?.[name]).filter((reading) => reading !== undefined)
  return readings.length < TRIES || readings.some(({ behind }) => behind === undefined)
}

function wanted(): readonly (() => Promise<Target>)[] {
  const only = values.only?.toLowerCase().split(',')
  const known = Object.entries(STARTERS)
  const unknown = only?.find((name) => !known.some(([target, start]) => start && target.toLowerCase() === name))
  if (unknown !== undefined) throw new Error(`${unknown} is not a target here; see bench/README.md`)
  return known.flatMap(([name, start]) => (start && (only?.includes(name.toLowerCase()) ?? true) ? [start] : []))
}

function reportOf(measured: Measured): BenchReport {
  const names = targets.map(({ name }) => name)
  const [processor] = cpus()
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  // The rest of the release string is the kernel builder's.
  const [kernel] = /^\d+\.\d+/.exec(release()) ?? []
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${processor?.model ?? 'unknown'}, ${gigabytes} GB, Linux ${kernel}, Node ${process.versions.node}`,
    rounds,
    targets: names,
    sections: sectionsOf(measured, names),
    flushMs: flushOf(measured.flushesMs),
    budgets: comparisons(measured.rounds, measured.memory, budgets),
  }
}
