import type { BudgetPeriod } from '../budget-window.ts'
import type { BudgetsOperation } from '../operation.ts'
import { budgetChanges, firstCountedDay } from '../rules/budgets.ts'
import type { Budget } from '../rules/rows.ts'
import type { AccountSlot } from '../rules/working-set.ts'
import type { PostgresRow } from './postgres-connection.ts'
import { columnArrays, type Query } from './postgres-statements.ts'
import { BUDGET } from './tables.ts'

/** Daily sums of an account, from a given day on. Days since 1970-01-01. */
export interface DailySums {
  readonly since: number
  readonly sums: readonly { readonly day: number; readonly amount: bigint }[]
}

export interface WantedSums {
  readonly account: number
  readonly userId: number
  readonly since: number
}

/** Budgets of the locked accounts, by account; runs no query when no account has any. */
export async function readBudgets(
  query: Query,
  locked: readonly PostgresRow[],
): Promise<ReadonlyMap<number, readonly Budget[]>> {
  const accounts = locked.filter((row) => row['budgeted'] === 1).map((row) => row['id'])
  const rows = accounts.length === 0 ? [] : await query('readBudgets', [accounts])
  return Map.groupBy(rows.map(readBudget), ({ account }) => account)
}

/** The sums needed by an operation whose account may get a budget. */
export function wantedBy({ account, userId, at }: BudgetsOperation): WantedSums {
  return { account, userId, since: firstCountedDay(at) }
}

/** What accounts have spent on the days that a window counts; call it while the accounts are locked. */
export async function readDailySums(
  query: Query,
  wanted: readonly WantedSums[],
): Promise<ReadonlyMap<number, DailySums>> {
  if (wanted.length === 0) return new Map()
  const rows = await query('readDailySums', [
    wanted.map(({ account }) => account),
    wanted.map(({ userId }) => userId),
    wanted.map(({ since }) => since),
  ])
  const found = Map.groupBy(rows, (row) => row['account'] as number)
  return new Map(
    wanted.map(({ account, since }) => [account, { since, sums: (found.get(account) ?? []).map(readDailySum) }]),
  )
}

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

function readDailySum(row: PostgresRow): DailySums['sums'][number] {
  return { day: row['day'] as number, amount: row['amount'] as bigint }
}
