import type { Figures } from './scenarios.ts'
import { median } from './statistics.ts'

/** One round: every target, measured within the same minute. */
export type Round = Readonly<Record<'direct' | 'nginx' | 'bare' | 'Sluice' | 'Portkey', Figures>>

export type BudgetName =
  | 'jsonCpuOverNginx'
  | 'jsonCpuOverBare'
  | 'jsonCpuOverPortkey'
  | 'chunkCpuOverNginx'
  | 'chunkCpuOverBare'
  | 'addedP50Ms'
  | 'rssMbWith1000Streams'

export const LABELS: Readonly<Record<BudgetName, string>> = {
  jsonCpuOverNginx: 'CPU per JSON request, times nginx',
  jsonCpuOverBare: 'CPU per JSON request, times bare relay',
  jsonCpuOverPortkey: 'CPU per JSON request, times Portkey',
  chunkCpuOverNginx: 'CPU per streamed chunk, times nginx',
  chunkCpuOverBare: 'CPU per streamed chunk, times bare relay',
  addedP50Ms: 'latency p50 added to the direct way, ms',
  rssMbWith1000Streams: 'resident with 1,000 open streams, MB',
}

/** The judged figures: the median over the rounds of each round's own ratio. */
export function ratiosOf(rounds: readonly Round[], heldMb: number): Readonly<Record<BudgetName, number>> {
  const over = (pick: (round: Round) => number) => median(rounds.map(pick))
  return {
    jsonCpuOverNginx: over(({ Sluice, nginx }) => Sluice.jsonCpuUs / nginx.jsonCpuUs),
    jsonCpuOverBare: over(({ Sluice, bare }) => Sluice.jsonCpuUs / bare.jsonCpuUs),
    jsonCpuOverPortkey: over(({ Sluice, Portkey }) => Sluice.jsonCpuUs / Portkey.jsonCpuUs),
    chunkCpuOverNginx: over(({ Sluice, nginx }) => Sluice.chunkCpuUs / nginx.chunkCpuUs),
    chunkCpuOverBare: over(({ Sluice, bare }) => Sluice.chunkCpuUs / bare.chunkCpuUs),
    addedP50Ms: over(({ Sluice, direct }) => Sluice.p50Ms - direct.p50Ms),
    rssMbWith1000Streams: heldMb,
  }
}

export interface Budget {
  /** Above it the bench fails: the gate against a regression. */
  readonly limit: number
  /** What was promised for this figure. */
  readonly aim: number
}

export interface Verdict extends Budget {
  readonly name: BudgetName
  readonly value: number
  readonly verdict: 'reached' | 'within the limit' | 'EXCEEDED'
}

/** A figure that could not be measured exceeds its budget. */
export function verdicts(
  ratios: Readonly<Record<BudgetName, number>>,
  budgets: Readonly<Record<BudgetName, Budget>>,
): readonly Verdict[] {
  const names: readonly BudgetName[] = Object.keys(LABELS).filter((name): name is BudgetName => name in budgets)
  return names.map((name) => ({
    name,
    value: ratios[name],
    ...budgets[name],
    verdict: judge(ratios[name], budgets[name]),
  }))
}

function judge(value: number, { limit, aim }: Budget): Verdict['verdict'] {
  if (value <= aim) return 'reached'
  return value <= limit ? 'within the limit' : 'EXCEEDED'
}
