import type { Memory, Reading, ScenarioName } from '../scenarios.ts'
import { median } from '../statistics.ts'
import type { TargetName } from '../targets.ts'

/** One round's measurements: every target within the same minutes. Skipped scenarios are missing. */
export type Round = Readonly<Partial<Record<TargetName, Readonly<Partial<Record<ScenarioName, Reading>>>>>>

export type MemoryOf = Readonly<Partial<Record<TargetName, Memory>>>

export type Figure = 'cpu' | 'p50' | 'p99'

/** Microseconds of CPU of all threads, or milliseconds; NaN when the target did not keep up or was not measured. */
export function figureOf(round: Round, target: TargetName, scenario: ScenarioName, figure: Figure): number {
  const reading = round[target]?.[scenario]
  if (reading === undefined || reading.behind !== undefined) return NaN
  if (figure !== 'cpu') return figure === 'p50' ? reading.p50Ms : reading.p99Ms
  const groups = Object.values(reading.cpuUs)
  return groups.length === 0 ? NaN : groups.reduce((sum, us) => sum + us, 0)
}

/** The median over the rounds that have the figure; NaN when a target kept up in fewer than half of its measured rounds. */
export function overRounds(
  rounds: readonly Round[],
  target: TargetName,
  scenario: ScenarioName,
  figure: Figure,
): number {
  const measured = rounds.filter((round) => round[target]?.[scenario] !== undefined)
  const found = measured.map((round) => figureOf(round, target, scenario, figure)).filter(Number.isFinite)
  return found.length * 2 < measured.length ? NaN : median(found)
}

/** The median of each round's own ratio (or difference) of two targets, because a machine that becomes slower affects both. */
export function compared(
  rounds: readonly Round[],
  [target, base]: readonly [TargetName, TargetName],
  [scenario, figure]: readonly [ScenarioName, Figure],
  compare: (value: number, base: number) => number,
): number {
  const isMeasured = [target, base].every((name) => !Number.isNaN(overRounds(rounds, name, scenario, figure)))
  if (!isMeasured) return NaN
  const each = rounds.map((round) =>
    compare(figureOf(round, target, scenario, figure), figureOf(round, base, scenario, figure)),
  )
  return median(each.filter(Number.isFinite))
}

export const times = (value: number, base: number): number => value / base
export const beyond = (value: number, base: number): number => value - base
