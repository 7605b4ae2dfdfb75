import type { Kysely } from 'kysely'
import type { BudgetTable } from '../../schema/ledger.ts'
import type { Schema } from '../../schema/schema.ts'

/** A budget as the ledger keeps it. Amounts are mq. */
export interface BudgetRow {
  readonly period: BudgetTable['period']
  readonly amount: bigint
  /** Unix milliseconds: the window that `spent` counts, which may be over. */
  readonly windowStartMs: number
  readonly spent: bigint
}

interface MayHaveBudgets {
  /** Its ledger account; null if that has not been opened yet. */
  readonly account: number | null
  /** 1 when the account has budgets. */
  readonly budgeted: number | null
}

/** Rows with the budgets of their accounts; runs no query if no row has any. */
export async function withBudgets<Row extends MayHaveBudgets>(
  db: Kysely<Schema>,
  rows: readonly Row[],
): Promise<readonly (Row & { readonly budgets: readonly BudgetRow[] })[]> {
  const accounts = rows.flatMap(({ account, budgeted }) => (account !== null && budgeted === 1 ? [account] : []))
  const found = accounts.length === 0 ? [] : await findBudgets(db, accounts)
  const byAccount = Map.groupBy(found, ({ account }) => account)
  return rows.map((row) => ({ ...row, budgets: (row.account === null ? undefined : byAccount.get(row.account)) ?? [] }))
}

async function findBudgets(db: Kysely<Schema>, accounts: readonly number[]) {
  return await db
    .selectFrom('budget')
    .select(['account', 'period', 'amount', 'window_start_ms as windowStartMs', 'spent'])
    .where('account', 'in', [...accounts])
    .execute()
}
