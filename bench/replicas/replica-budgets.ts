import { checkBudget } from '../check-budget.ts'
import budgets from '../replica-budgets.json' with { type: 'json' }
import { type Figure, overRounds, ratioOf, type Round } from './replica-ratios.ts'

type BudgetName = keyof typeof budgets

interface Judged {
  readonly targets: readonly string[]
  readonly load: string
  readonly of: (rounds: readonly Round[]) => number
}

function itself(target: string, load: string, figure: Figure): Judged {
  return { targets: [target], load, of: (rounds) => overRounds(rounds, target, load, figure) }
}

function over(targets: readonly [string, string], load: string, figure: Figure): Judged {
  return { targets, load, of: (rounds) => ratioOf(rounds, targets, load, figure) }
}

const BESIDE_SQLITE = ['PostgreSQL 1', 'SQLite'] as const
const FOUR_BESIDE_ONE = ['PostgreSQL 4', 'PostgreSQL 1'] as const

const JUDGED: Readonly<Record<BudgetName, Judged>> = {
  p50MsAt8: itself('PostgreSQL 1', 'closed8', 'p50Ms'),
  serverUsAt32: itself('PostgreSQL 1', 'closed32', 'serverUs'),
  gatewayOverSqliteAt1: over(BESIDE_SQLITE, 'closed1', 'gatewayUs'),
  gatewayOverSqliteAt8: over(BESIDE_SQLITE, 'closed8', 'gatewayUs'),
  gatewayOverSqliteAt32: over(BESIDE_SQLITE, 'closed32', 'gatewayUs'),
  p50OverSqliteAt1: over(BESIDE_SQLITE, 'closed1', 'p50Ms'),
  p50OverSqliteAt8: over(BESIDE_SQLITE, 'closed8', 'p50Ms'),
  p50OverSqliteAt32: over(BESIDE_SQLITE, 'closed32', 'p50Ms'),
  gatewayFourOverOneAt8: over(FOUR_BESIDE_ONE, 'closed8', 'gatewayUs'),
  gatewayFourOverOneAt32: over(FOUR_BESIDE_ONE, 'closed32', 'gatewayUs'),
  serverFourOverOneAt8: over(FOUR_BESIDE_ONE, 'closed8', 'serverUs'),
  serverFourOverOneAt32: over(FOUR_BESIDE_ONE, 'closed32', 'serverUs'),
}

/** Prints each budget whose targets and load were measured; the process fails when one is above its limit. */
export function checkBudgets(rounds: readonly Round[]): void {
  for (const [name, { targets, load, of }] of Object.entries(JUDGED)) {
    const isMeasured = targets.every((target) => rounds.some((round) => round[target]?.[load] !== undefined))
    if (isMeasured) checkBudget(name, budgets[name as BudgetName], of(rounds))
  }
}
