import { MS_PER_DAY, windowEnd, windowStart } from '../budget-window.ts'
import type { BudgetsOperation, Outcome, OverBudget } from '../operation.ts'
import { fitsInt64 } from '../units.ts'
import { DONE, invalid } from './outcomes.ts'
import type { Account, Budget } from './rows.ts'
import type { AccountSlot, WorkingSet } from './working-set.ts'

/** Shared by all accounts without a budget, so that looking for one costs nothing. */
export const NO_BUDGETS: readonly Budget[] = []

/** An account as far as its budgets are concerned. */
export interface Budgeted {
  readonly held: bigint
  readonly budgets: readonly Omit<Budget, 'account'>[]
}

/**
 * The budget for which `amount` more may not be held at `at` (unix milliseconds): it is smaller than what its window has spent
 * and everything that is held, whenever that was opened. Of several such budgets it is the one that starts anew last, since
 * waiting for another would not help.
 *
 * So no window is overrun by holds, however they come together; only by what a charge takes beyond its hold.
 */
export function overrunBudget(account: Budgeted, amount: bigint, at: number): OverBudget | undefined {
  let refusing: OverBudget | undefined
  for (const budget of account.budgets) {
    // A clock that is behind another replica's does not bring a window back.
    const now = Math.max(at, budget.windowStartMs)
    if (spentAt(budget, now) + account.held + amount <= budget.amount) continue
    const resetsMs = windowEnd(budget.period, now)
    if (refusing === undefined || resetsMs > refusing.resetsMs) refusing = { period: budget.period, resetsMs }
  }
  return refusing
}

/**
 * Counts a charge made at `atMs`, or a correction of it (less than 0: back), in the windows that it is in. A later window
 * begins with its first charge; one that is over is not counted any more.
 */
export function countSpending(account: Account, amount: bigint, atMs: number): void {
  if (account.budgets.length === 0) return
  account.budgets = account.budgets.map((budget) => {
    const start = windowStart(budget.period, atMs)
    if (start < budget.windowStartMs) return budget
    return { ...budget, windowStartMs: start, spent: spentAt(budget, atMs) + amount }
  })
}

/** What new holds may take by the tightest budget, if none has started anew since its last charge; undefined without one. */
export function budgetLeft({ budgets, held }: Budgeted): bigint | undefined {
  let least: bigint | undefined
  for (const { amount, spent } of budgets) {
    const left = amount - spent - held
    if (least === undefined || left < least) least = left
  }
  return least
}

/**
 * Replaces the budgets of an account. A budget that was there keeps what its window has spent; a new one counts its current
 * window from the beginning, by the daily sums.
 */
export function applyBudgets(set: WorkingSet, operation: BudgetsOperation): Outcome {
  const { userId, at } = operation
  const account = set.account(operation.account)
  if (account === undefined || account.kind === 'system')
    return invalid('budgets need the account of a user or a token')
  if (account.kind === 'user' && account.owner !== userId) return invalid('the account is not the user’s')
  const periods = new Set(operation.budgets.map(({ period }) => period))
  if (periods.size !== operation.budgets.length) return invalid('an account has one budget per period')
  if (operation.budgets.some(({ amount }) => amount < 0n || !fitsInt64(amount))) {
    return invalid('a budget is not negative and fits 64 bits')
  }
  // Another replica's clock may have charged in a window that has not begun here.
  const now = Math.max(at, account.lastMs)
  const budgets = operation.budgets.map(({ period, amount }): Budget => {
    const before = account.budgets.find((budget) => budget.period === period)
    if (before !== undefined) return before.amount === amount ? before : { ...before, amount }
    const windowStartMs = windowStart(period, now)
    const spent = set.spentSince(account, userId, windowStartMs / MS_PER_DAY)
    return { account: account.id, period, amount, windowStartMs, spent }
  })
  const isSame = budgets.length === account.budgets.length && budgets.every((each) => account.budgets.includes(each))
  if (!isSame) account.budgets = budgets.length === 0 ? NO_BUDGETS : budgets
  return DONE
}

/** What must be written for the budgets of a batch. */
export interface BudgetChanges {
  readonly removed: readonly Budget[]
  readonly written: readonly Budget[]
  /** Accounts that got their first budget or lost their last. */
  readonly flagged: readonly Readonly<Account>[]
}

export function budgetChanges(accounts: readonly AccountSlot[]): BudgetChanges {
  const changed = accounts.filter(({ account, before }) => account.budgets !== before.budgets)
  return {
    removed: changed.flatMap(({ account, before }) =>
      before.budgets.filter(({ period }) => !account.budgets.some((budget) => budget.period === period)),
    ),
    written: changed.flatMap(({ account, before }) =>
      account.budgets.filter((budget) => !before.budgets.includes(budget)),
    ),
    flagged: changed
      .filter(({ account, before }) => account.budgets.length > 0 !== before.budgets.length > 0)
      .map(({ account }) => account),
  }
}

/** First of the days that a new budget may have to count. Days since 1970-01-01. */
export function firstCountedDay(at: number): number {
  return Math.min(windowStart('month', at), windowStart('week', at)) / MS_PER_DAY
}

function spentAt({ period, windowStartMs, spent }: Omit<Budget, 'account'>, at: number): bigint {
  return windowStart(period, at) === windowStartMs ? spent : 0n
}
