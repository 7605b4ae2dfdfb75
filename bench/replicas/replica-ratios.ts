import { median } from '../statistics.ts'
import type { Reading } from './replica-loads.ts'

/** Readings by target, then by load; what was not measured is missing. */
export type Round = Readonly<Record<string, Readonly<Record<string, Reading>>>>

export const FIGURES = [
  'perSecond',
  'gatewayUs',
  'serverUs',
  'p50Ms',
  'p99Ms',
  'walBytes',
  'writes',
  'statements',
] as const
export type Figure = (typeof FIGURES)[number]

/** NaN when the target has no such figure, was not measured or did not keep up. */
export function figureOf(round: Round, target: string, load: string, figure: Figure): number {
  const reading = round[target]?.[load]
  if (reading === undefined || reading.behind !== undefined) return NaN
  switch (figure) {
    case 'perSecond':
    case 'gatewayUs':
    case 'p50Ms':
    case 'p99Ms':
      return reading[figure]
    case 'serverUs':
      return reading.server?.us ?? NaN
    case 'walBytes':
    case 'writes':
    case 'statements':
      return reading.server?.[figure] ?? NaN
  }
}

/** The median of the rounds that have the figure; NaN when fewer than half of them do. */
export function overRounds(rounds: readonly Round[], target: string, load: string, figure: Figure): number {
  const found = rounds.map((round) => figureOf(round, target, load, figure)).filter(Number.isFinite)
  return found.length * 2 < rounds.length ? NaN : median(found)
}

/** Each round's own ratio of two targets, because a machine that becomes slower affects both. */
export function ratiosOf(
  rounds: readonly Round[],
  [target, base]: readonly [string, string],
  load: string,
  figure: Figure,
): readonly number[] {
  return rounds
    .map((round) => figureOf(round, target, load, figure) / figureOf(round, base, load, figure))
    .filter(Number.isFinite)
}

/** The median of `ratiosOf`; NaN when fewer than half of the rounds have both figures. */
export function ratioOf(
  rounds: readonly Round[],
  targets: readonly [string, string],
  load: string,
  figure: Figure,
): number {
  const ratios = ratiosOf(rounds, targets, load, figure)
  return ratios.length * 2 < rounds.length ? NaN : median(ratios)
}
