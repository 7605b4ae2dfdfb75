import type { BudgetPeriod } from '../budget-window.ts'
import { budgetChanges } from '../rules/budgets.ts'
import type { Account, Budget } from '../rules/rows.ts'
import type { AccountSlot } from '../rules/working-set.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { BUDGET } from './tables.ts'
import { insertInto } from './written-table.ts'

export interface SqliteBudgets {
  of(account: number): readonly Budget[]
  /** See `RowSource`. */
  spentSince(account: Account, userId: number, day: number): bigint
}

export function createSqliteBudgets(connection: SqliteConnection): SqliteBudgets {
  const budgets = connection.prepare('select period, amount, window_start_ms, spent from budget where account = ?')
  // The key of the daily sums begins with user and day.
  const ofUser = connection.prepare('select amount from usage_daily where user_id = ? and day >= ?')
  const ofToken = connection.prepare('select amount from usage_daily where user_id = ? and day >= ? and token_id = ?')
  return {
    of: (account) =>
      budgets.values(account).map(([period, amount, windowStartMs, spent]) => ({
        account,
        period: period as BudgetPeriod,
        amount: amount as bigint,
        windowStartMs: windowStartMs as number,
        spent: spent as bigint,
      })),
    spentSince: ({ kind, owner }, userId, day) => {
      const rows = kind === 'token' ? ofToken.values(userId, day, owner) : ofUser.values(userId, day)
      return rows.reduce((sum, [amount]) => sum + (amount as bigint), 0n)
    },
  }
}

export function createSqliteBudgetWriter(connection: SqliteConnection): (accounts: readonly AccountSlot[]) => void {
  const write = connection.prepare(
    `${insertInto(BUDGET)}
    on conflict (account, period) do update
      set amount = excluded.amount, window_start_ms = excluded.window_start_ms, spent = excluded.spent`,
  )
  const remove = connection.prepare('delete from budget where account = ? and period = ?')
  const flag = connection.prepare('update account set budgeted = ? where id = ?')
  return (accounts) => {
    const { removed, written, flagged } = budgetChanges(accounts)
    for (const { account, period } of removed) remove.run(account, period)
    for (const budget of written) write.run(...BUDGET.values(budget))
    for (const { id, budgets } of flagged) flag.run(budgets.length > 0 ? 1 : 0, id)
  }
}
