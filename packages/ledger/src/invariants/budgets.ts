import { MS_PER_DAY } from '../budget-window.ts'
import { findWrong, type Invariant } from './invariant.ts'
import { joinParts, sumParts } from './sql.ts'

/** The ledger looks for budgets only where an account says that it has some. */
const HAS_BUDGET = `case when exists (select 1 from budget where budget.account = account.id) then 1 else 0 end`

/** Windows begin at midnight in UTC, and a budget's is the latest that was charged in: so it is the daily sums since then. */
export const BUDGETED: Invariant = {
  id: 'I11',
  statement: 'what a budget has spent is the sum of the charges of its window',
  check: (read) =>
    findWrong(
      read,
      'select count(*) as checked from budget',
      `with entry as (
        select account.id as account, usage_daily.day, usage_daily.amount from account
          join usage_daily on usage_daily.user_id = account.owner_id
          where account.budgeted = 1 and account.kind = 'user'
        union all select account.id, usage_daily.day, usage_daily.amount from account
          join usage_daily on usage_daily.token_id = account.owner_id
          where account.budgeted = 1 and account.kind = 'token'
      ), total as (
        select budget.account, budget.period, ${sumParts('entry.amount')} from budget
        join entry on entry.account = budget.account and entry.day >= budget.window_start_ms / ${MS_PER_DAY}
        group by budget.account, budget.period
      )
      select account.id, account.kind, account.owner_id, budget.period, budget.window_start_ms, budget.spent,
        ${joinParts()} as charges
      from budget join account on account.id = budget.account
      left join total on total.account = budget.account and total.period = budget.period
      where budget.spent <> ${joinParts()} order by account.id, budget.period limit 1`,
      `select account.id, account.kind, account.owner_id, account.budgeted from account
      where account.budgeted <> ${HAS_BUDGET} order by account.id limit 1`,
    ),
}
