import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { startProviderProcess } from './provider/provider-process.ts'
import { CALLERS, type Callers } from './replicas/callers.ts'
import { checkBudgets } from './replicas/replica-budgets.ts'
import { type Duration, LOADS, measureLoad, planFor, type Reading, warmUpPattern } from './replicas/replica-loads.ts'
import type { Round } from './replicas/replica-ratios.ts'
import { changesOf, tableOf } from './replicas/replica-table.ts'
import { type ReplicaTarget, startReplicaTarget, type TargetPlan } from './replicas/replica-targets.ts'
import { startWatchedServer } from './replicas/server-watch.ts'
import { runLoad } from './run-load.ts'

/**
 * `npm run bench -- replicas`: what a call costs on PostgreSQL with one, two and four gateway processes, beside SQLite: processor
 * time of the gateways and of the server, latency, what is written, and what the connections wait for. The targets take turns within
 * each round, and a ratio compares two figures of one round. `--before <bundle>` runs another gateway program beside this one.
 */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    accounts: { type: 'string', default: 'one' },
    provider: { type: 'string', default: '0' },
    before: { type: 'string' },
    /** Targets and loads, such as `sqlite,postgresql1,closed8`. */
    only: { type: 'string' },
    json: { type: 'string' },
  },
})
const BEFORE = ', before'
const PLANS: readonly TargetPlan[] = [
  { name: 'SQLite', processes: 1, engine: 'sqlite' },
  { name: 'PostgreSQL 1', processes: 1, engine: 'postgres' },
  { name: 'PostgreSQL 2', processes: 2, engine: 'postgres' },
  { name: 'PostgreSQL 4', processes: 4, engine: 'postgres' },
]
const duration: Duration = values.quick
  ? { measuredMs: 1_000, watchedMs: 500 }
  : { measuredMs: 2_000, watchedMs: 1_000 }
const warmUp = values.quick ? warmUpPattern(2_000, 5_000) : warmUpPattern(10_000, 60_000)
const rounds = Number(values.rounds ?? (values.quick ? 1 : 6))

if (process.platform !== 'linux') {
  console.error('The bench reads CPU from /proc, so it runs on Linux only.')
  process.exit(1)
}
const callers = callersOf(values.accounts)
const providerMs = providerMsOf(values.provider)
const { plans, loads } = chosen(values.only)
const provider = await startProviderProcess()
const server = plans.some(({ engine }) => engine === 'postgres') ? await startWatchedServer() : undefined
const targets: ReplicaTarget[] = []
try {
  const measured = await run()
  const names = targets.map(({ name }) => name)
  console.log(tableOf(measured, names, loads).join('\n'))
  const pairs = names.filter((name) => names.includes(name + BEFORE)).map((name) => [name, name + BEFORE] as const)
  if (pairs.length > 0) console.log(changesOf(measured, pairs, loads).join('\n'))
  console.log(`\nload of the machine at the end ${load()}`)
  if (values.json !== undefined)
    await writeFile(values.json, `${JSON.stringify({ callers, providerMs, rounds: measured }, null, 2)}\n`)
  if (callers === 'one' && providerMs === 0) checkBudgets(measured)
} finally {
  await stopAll()
}

async function run(): Promise<readonly Round[]> {
  console.log(`accounts: ${callers}; the provider takes ${providerMs} ms; load of the machine ${load()}`)
  for (const plan of plans) {
    const target = await startReplicaTarget(plan, callers, { upstream: provider.url, server: server?.url })
    targets.push(target)
    console.log(`${target.name}: warm-up`)
    await runLoad(planFor(target, warmUp, 0))
  }
  const measured: Round[] = []
  for (let round = 1; round <= rounds; round++) {
    console.log(`round ${round} of ${rounds}`)
    const readings: Record<string, Record<string, Reading>> = {}
    // Targets that are compared follow each other closely, and take turns in who is first.
    for (const each of loads) {
      for (const target of round % 2 === 1 ? targets : targets.toReversed()) {
        const reading = await measureLoad(target, each, server, { providerMs, duration })
        readings[target.name] = { ...readings[target.name], [each.name]: reading }
      }
    }
    measured.push(readings)
  }
  return measured
}

/** Every ledger is verified, also when an earlier one does not balance. */
async function stopAll(): Promise<void> {
  const ends = await Promise.allSettled(targets.map((target) => target.stop()))
  await server?.stop()
  await provider.stop()
  const failed = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []))
  if (failed.length > 0) throw new AggregateError(failed, `${failed.length} of ${ends.length} targets did not end well`)
  console.log(`sluice ledger verify --full: ${ends.length} of ${ends.length} databases balance`)
}

function chosen(only: string | undefined) {
  const names = only?.toLowerCase().split(',') ?? []
  const keyOf = ({ name }: { readonly name: string }) => name.toLowerCase().replaceAll(' ', '')
  const known = [...PLANS, ...LOADS].map(keyOf)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`${unknown} is neither a target nor a load: ${known.join(', ')}`)
  const pick = <Each extends { readonly name: string }>(all: readonly Each[]): readonly Each[] => {
    const named = all.filter((each) => names.includes(keyOf(each)))
    return named.length === 0 ? all : named
  }
  const { before } = values
  const withBefore = (plan: TargetPlan): readonly TargetPlan[] =>
    before === undefined ? [plan] : [plan, { ...plan, name: plan.name + BEFORE, program: before }]
  return { plans: pick(PLANS).flatMap(withBefore), loads: pick(LOADS) }
}

function callersOf(name: string): Callers {
  const found = CALLERS.find((callers) => callers === name)
  if (found === undefined) throw new Error(`--accounts is one of ${CALLERS.join(', ')}`)
  return found
}

function providerMsOf(text: string): number {
  if (text !== '0' && text !== '20') throw new Error('--provider is 0 or 20')
  return Number(text)
}

/** Average number of runnable processes over the last minute. */
function load(): string {
  return (loadavg()[0] ?? NaN).toFixed(1)
}
