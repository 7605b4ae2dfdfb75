import type { ScenarioName } from '../scenarios.ts'
import type { TargetName } from '../targets.ts'
import { beyond, compared, type Figure, type MemoryOf, type Round, times } from './ratios.ts'

export type BudgetName =
  | 'jsonCpuOverNginx'
  | 'jsonCpuOverBare'
  | 'jsonCpuOverPortkey'
  | 'jsonCpuAt200OverBare'
  | 'chunkCpuOverNginx'
  | 'chunkCpuOverBare'
  | 'steadyChunkCpuOverBare'
  | 'addedP50Ms'
  | 'addedP50OverBareMs'
  | 'rssMbWith1000Streams'

export interface Budget {
  /** The bench fails above it, to catch regressions. */
  readonly limit: number
  readonly aim: number
}

export interface Comparison extends Budget {
  readonly name: BudgetName
  readonly label: string
  readonly value: number
  readonly result: 'reached' | 'within the limit' | 'EXCEEDED'
}

interface Judged {
  readonly label: string
  readonly base?: TargetName
  readonly of: (rounds: readonly Round[], memory: MemoryOf) => number
}

function over(
  base: TargetName,
  label: string,
  scenario: ScenarioName,
  figure: Figure = 'cpu',
  compare = times,
): Judged {
  return { label, base, of: (rounds) => compared(rounds, ['Sluice', base], [scenario, figure], compare) }
}

const JUDGED: Readonly<Record<BudgetName, Judged>> = {
  jsonCpuOverNginx: over('nginx', 'CPU per request, 32 connections, × nginx', 'closed32'),
  jsonCpuOverBare: over('bare', 'CPU per request, 32 connections, × bare relay', 'closed32'),
  jsonCpuOverPortkey: over('Portkey', 'CPU per request, 32 connections, × Portkey', 'closed32'),
  jsonCpuAt200OverBare: over('bare', 'CPU per request, 200 a second, × bare relay', 'rate200'),
  chunkCpuOverNginx: over('nginx', 'CPU per chunk, calls included, × nginx', 'shortStreams'),
  chunkCpuOverBare: over('bare', 'CPU per chunk, calls included, × bare relay', 'shortStreams'),
  steadyChunkCpuOverBare: over('bare', 'CPU per chunk, 1,000 streams at 20/s, × bare', 'pace20by1000'),
  addedP50Ms: over('direct', 'latency p50 beyond the direct path, ms', 'rate200', 'p50', beyond),
  addedP50OverBareMs: over('bare', 'latency p50 beyond the bare relay, ms', 'rate200', 'p50', beyond),
  rssMbWith1000Streams: {
    label: 'resident with 1,000 open streams, MB',
    of: (_, memory) => memory.Sluice?.heldMb ?? NaN,
  },
}

/** A figure that could not be measured exceeds its budget, unless one of its two targets was deliberately left out. */
export function comparisons(
  rounds: readonly Round[],
  memory: MemoryOf,
  budgets: Readonly<Record<BudgetName, Budget>>,
): readonly Comparison[] {
  const [first = {}] = rounds
  const names = (Object.keys(JUDGED) as BudgetName[]).filter((name) => {
    const { base } = JUDGED[name]
    return 'Sluice' in first && (base === undefined || base in first)
  })
  return names.map((name) => {
    const { label, of } = JUDGED[name]
    const value = of(rounds, memory)
    return { name, label, value, ...budgets[name], result: compare(value, budgets[name]) }
  })
}

function compare(value: number, { limit, aim }: Budget): Comparison['result'] {
  if (value <= aim) return 'reached'
  return value <= limit ? 'within the limit' : 'EXCEEDED'
}
