import type { BudgetPeriod } from '../budget-window.ts'
import type { BudgetsOperation } from '../operation.ts'
import { budgetChanges, firstCountedDay } from '../rules/budgets.ts'
import type { Budget } from '../rules/rows.ts'
import type { AccountSlot } from '../rules/working-set.ts'
import type { PostgresRow } from './postgres-connection.ts'
import { columnArrays, type Query } from './postgres-statements.ts'
import { BUDGET } from './tables.ts'

/** Daily sums of an account that is about to get a budget. */
export interface DailySum {
  readonly day: number
  readonly amount: bigint
}

/** The budgets of those locked accounts that have any, by account; asks for none when none has. */
export async function readBudgets(
  query: Query,
  locked: readonly PostgresRow[],
): Promise<ReadonlyMap<number, readonly Budget[]>> {
  const accounts = locked.filter((row) => row['budgeted'] === 1).map((row) => row['id'])
  const rows = accounts.length === 0 ? [] : await query('readBudgets', [accounts])
  return Map.groupBy(rows.map(readBudget), ({ account }) => account)
}

/** What accounts have spent on the days that a new budget may count; call it while they are locked. */
export async function readDailySums(
  query: Query,
  operations: readonly BudgetsOperation[],
): Promise<ReadonlyMap<number, readonly DailySum[]>> {
  if (operations.length === 0) return new Map()
  const rows = await query('readDailySums', [
    operations.map(({ account }) => account),
    operations.map(({ userId }) => userId),
    operations.map(({ at }) => firstCountedDay(at)),
  ])
  return Map.groupBy(
    rows.map((row) => ({ ...readDailySum(row), account: row['account'] as number })),
    ({ account }) => account,
  )
}

/** Writes the budgets that a batch changed. */
export async function writeBudgets(query: Query, accounts: readonly AccountSlot[]): Promise<void> {
  const { removed, written, flagged } = budgetChanges(accounts)
  const statements: Promise<unknown>[] = []
  if (removed.length > 0) {
    const keys = [removed.map(({ account }) => account), removed.map(({ period }) => period)]
    statements.push(query('removeBudgets', keys))
  }
  if (written.length > 0) statements.push(query('writeBudgets', columnArrays(BUDGET, written)))
  if (flagged.length > 0) {
    const flags = [flagged.map(({ id }) => id), flagged.map(({ budgets }) => (budgets.length > 0 ? 1 : 0))]
    statements.push(query('flagBudgets', flags))
  }
  await Promise.all(statements)
}

function readBudget(row: PostgresRow): Budget {
  return {
    account: row['account'] as number,
    period: row['period'] as BudgetPeriod,
    amount: row['amount'] as bigint,
    windowStartMs: row['window_start_ms'] as number,
    spent: row['spent'] as bigint,
  }
}

function readDailySum(row: PostgresRow): DailySum {
  return { day: row['day'] as number, amount: row['amount'] as bigint }
}
