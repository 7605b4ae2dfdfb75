import { MS_PER_DAY } from '../../budget-window.ts'
import { findWrong, type Invariant, joinParts, sumParts } from './invariant.ts'

/** The ledger looks up budgets only if the account is marked as having some. */
const HAS_BUDGET = `case when exists (select 1 from budget where budget.account = account.id) then 1 else 0 end`

/**
 * The charges to accounts of a kind in their budgets' windows: one pass over the daily sums, which looks up each sum's account and
 * budgets by key. `cross join` keeps SQLite from reversing that order, which would take one pass per budget.
 */
function charged(kind: 'user' | 'token'): string {
  return `
    select budget.account, budget.period, ${sumParts('usage_daily.amount')}
    from usage_daily cross join account cross join budget
    where usage_daily.day >= (select min(window_start_ms) / ${MS_PER_DAY} from budget)
      and account.kind = '${kind}' and account.owner_id = usage_daily.${kind}_id
      and budget.account = account.id and usage_daily.day >= budget.window_start_ms / ${MS_PER_DAY}
    group by budget.account, budget.period`
}

/** Windows begin at midnight UTC. A budget's window is the latest one with a charge: its spending is the daily sums since then. */
export const BUDGETED: Invariant = {
  id: 'I11',
  statement: 'the amount spent from a budget is the sum of the charges in its window',
  check: (read) =>
    findWrong(
      read,
      'select count(*) as checked from budget',
      `with total as (${charged('user')} union all ${charged('token')})
      select account.id, account.kind, account.owner_id, budget.period, budget.window_start_ms, budget.spent,
        ${joinParts()} as charges
      from budget join account on account.id = budget.account
      left join total on total.account = budget.account and total.period = budget.period
      where budget.spent <> ${joinParts()} order by account.id, budget.period limit 1`,
      `select account.id, account.kind, account.owner_id, account.budgeted from account
      where account.budgeted <> ${HAS_BUDGET} order by account.id limit 1`,
    ),
}
