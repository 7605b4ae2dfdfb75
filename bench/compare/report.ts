import { SCENARIO_NAMES, SCENARIOS, type ScenarioName } from '../scenarios.ts'
import { median, percentile } from '../statistics.ts'
import type { TargetName } from '../targets.ts'
import type { CpuByGroup } from '../thread-groups.ts'
import type { Comparison } from './budgets.ts'
import { beyond, compared, type Figure, figureOf, type MemoryOf, overRounds, type Round, times } from './ratios.ts'

/** All results of a run, as `--json` writes them. A figure that could not be measured is null. */
export interface BenchReport {
  /** `2026-11-23` */
  readonly date: string
  readonly machine: string
  readonly rounds: number
  readonly targets: readonly TargetName[]
  readonly sections: readonly Section[]
  /** The machine's own flush of 512 bytes. */
  readonly flushMs: { readonly p50: number | null; readonly p99: number | null }
  readonly budgets: readonly Comparison[]
}

export interface Section {
  readonly title: string
  /** How it is compared with the bare relay and nginx: as a multiple, or as a difference. */
  readonly compare: 'times' | 'beyond'
  readonly rows: readonly Row[]
}

export interface Row {
  readonly name: string
  readonly label: string
  readonly cells: Readonly<Partial<Record<TargetName, Cell>>>
}

export interface Cell {
  readonly value: number | null
  readonly overBare: number | null
  readonly overNginx: number | null
  /** Processor time of `value` by thread group. */
  readonly threads?: CpuByGroup
  readonly behind?: string
  /** The lower load at which it was measured, from the first such round. */
  readonly slower?: string
}

export interface Measured {
  readonly rounds: readonly Round[]
  readonly memory: MemoryOf
  readonly flushesMs: readonly number[]
}

export function sectionsOf({ rounds, memory }: Measured, targets: readonly TargetName[]): readonly Section[] {
  const cpuRows = (unit: 'request' | 'chunk') =>
    SCENARIO_NAMES.filter((name) => SCENARIOS[name].unit === unit).map((name) =>
      rowOf(name, SCENARIOS[name].label, 'cpu'),
    )
  const rowOf = (scenario: ScenarioName, label: string, figure: Figure): Row => {
    const cells = targets.map((target) => [target, cellOf(rounds, target, [scenario, figure])] as const)
    return { name: figure === 'cpu' ? scenario : `${scenario}.${figure}`, label, cells: Object.fromEntries(cells) }
  }
  const memoryRow = (name: 'idleMb' | 'heldMb', label: string): Row => {
    const valueOf = (target: TargetName) => memory[target]?.[name] ?? NaN
    const cells = targets.map((target) => {
      const over = (base: TargetName) => digits(valueOf(target) / valueOf(base))
      const value = digits(valueOf(target))
      const behind = value === null && memory[target] !== undefined
      const cell = { value, overBare: over('bare'), overNginx: over('nginx'), ...(behind && { behind: NOT_OPENED }) }
      return [target, cell] as const
    })
    return { name, label, cells: Object.fromEntries(cells) }
  }
  return [
    { title: 'CPU per JSON request, µs', compare: 'times', rows: cpuRows('request') },
    { title: 'CPU per streamed chunk, µs', compare: 'times', rows: cpuRows('chunk') },
    {
      title: 'Latency at 200 requests a second, provider takes 20 ms, ms',
      compare: 'beyond',
      rows: [rowOf('rate200', 'p50', 'p50'), rowOf('rate200', 'p99', 'p99')],
    },
    {
      title: 'Resident memory, MB',
      compare: 'times',
      rows: [memoryRow('idleMb', 'at rest'), memoryRow('heldMb', 'with 1,000 open streams')],
    },
  ]
}

const NOT_OPENED = 'did not open the streams within two minutes'

export function flushOf(flushesMs: readonly number[]): BenchReport['flushMs'] {
  return { p50: digits(percentile(flushesMs, 0.5)), p99: digits(percentile(flushesMs, 0.99)) }
}

function cellOf(rounds: readonly Round[], target: TargetName, what: readonly [ScenarioName, Figure]): Cell {
  const [scenario, figure] = what
  const compare = figure === 'cpu' ? times : beyond
  const over = (base: TargetName) => digits(compared(rounds, [target, base], what, compare))
  const value = digits(overRounds(rounds, target, ...what))
  const readings = rounds.map((round) => round[target]?.[scenario])
  const behind = readings.find((reading) => reading?.behind !== undefined)?.behind
  const slower = readings.find((reading) => reading?.slower !== undefined)?.slower
  return {
    value,
    overBare: target === 'bare' ? null : over('bare'),
    overNginx: target === 'nginx' ? null : over('nginx'),
    ...(figure === 'cpu' && value !== null && { threads: threadsOver(rounds, target, scenario) }),
    ...(value === null && behind !== undefined && { behind }),
    ...(value !== null && slower !== undefined && { slower }),
  }
}

/** Medians by group, whose sum may differ a little from the median of the sums. */
function threadsOver(rounds: readonly Round[], target: TargetName, scenario: ScenarioName): CpuByGroup {
  const valid = rounds.filter((round) => Number.isFinite(figureOf(round, target, scenario, 'cpu')))
  const readings = valid.map((round) => round[target]?.[scenario]?.cpuUs ?? {})
  const groups = [...new Set(readings.flatMap((reading) => Object.keys(reading)))]
  return Object.fromEntries(
    groups.map((group) => [group, digits(median(readings.map((reading) => reading[group] ?? 0))) ?? 0]),
  )
}

/** More than four digits are not reproducible. */
function digits(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toPrecision(4)) : null
}
