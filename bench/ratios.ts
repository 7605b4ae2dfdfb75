import type { Figures } from './scenarios.ts'
import { median } from './statistics.ts'

/** One round: every target, measured within the same minute. */
export type Round = Readonly<Record<'direct' | 'nginx' | 'Sluice' | 'Portkey', Figures>>

export type BudgetName =
  | 'jsonCpuOverNginx'
  | 'jsonCpuOverPortkey'
  | 'chunkCpuOverNginx'
  | 'addedP50Ms'
  | 'rssMbWith1000Streams'

export const LABELS: Readonly<Record<BudgetName, string>> = {
  jsonCpuOverNginx: 'CPU per JSON request, times nginx',
  jsonCpuOverPortkey: 'CPU per JSON request, times Portkey',
  chunkCpuOverNginx: 'CPU per streamed chunk, times nginx',
  addedP50Ms: 'latency p50 added to the direct way, ms',
  rssMbWith1000Streams: 'resident with 1,000 open streams, MB',
}

/** The judged figures: the median over the rounds of each round's own ratio. */
export function ratiosOf(rounds: readonly Round[], heldMb: number): Readonly<Record<BudgetName, number>> {
  const over = (pick: (round: Round) => number) => median(rounds.map(pick))
  return {
    jsonCpuOverNginx: over(({ Sluice, nginx }) => Sluice.jsonCpuUs / nginx.jsonCpuUs),
    jsonCpuOverPortkey: over(({ Sluice, Portkey }) => Sluice.jsonCpuUs / Portkey.jsonCpuUs),
    chunkCpuOverNginx: over(({ Sluice, nginx }) => Sluice.chunkCpuUs / nginx.chunkCpuUs),
    addedP50Ms: over(({ Sluice, direct }) => Sluice.p50Ms - direct.p50Ms),
    rssMbWith1000Streams: heldMb,
  }
}

export interface Budget {
  /** Above it the bench fails. */
  readonly limit: number
  readonly aim: number
}

export interface Verdict extends Budget {
  readonly name: BudgetName
  readonly value: number
  readonly ok: boolean
}

/** A figure that could not be measured exceeds its budget. */
export function verdicts(
  ratios: Readonly<Record<BudgetName, number>>,
  budgets: Readonly<Record<BudgetName, Budget>>,
): readonly Verdict[] {
  const names: readonly BudgetName[] = Object.keys(LABELS).filter((name): name is BudgetName => name in budgets)
  return names.map((name) => ({ name, value: ratios[name], ...budgets[name], ok: ratios[name] <= budgets[name].limit }))
}
