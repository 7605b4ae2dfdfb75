import { type BudgetPeriod, MS_PER_DAY, windowEnd, windowStart } from '../budget-window.ts'
import type { BudgetsOperation, Outcome, OverBudget } from '../operation.ts'
import { fitsInt64 } from '../units.ts'
import { DONE, invalid } from './outcomes.ts'
import type { Account, Budget } from './rows.ts'
import type { AccountSlot, WorkingSet } from './working-set.ts'

/** Shared by all accounts without a budget, so that looking for one costs nothing. */
export const NO_BUDGETS: readonly Budget[] = []

export interface Budgeted {
  readonly held: bigint
  readonly budgets: readonly Omit<Budget, 'account'>[]
}

/**
 * The budget that does not allow `amount` more to be held at `at` (unix milliseconds): it is smaller than what its window has spent
 * plus everything that is held, whenever that was opened, plus `amount`. Of several such budgets it is the one that resets last,
 * because waiting for another would not help. Call it once the windows have been moved to `at`.
 *
 * So holds never overrun a window, however they are combined; only a charge beyond its hold can.
 */
export function overrunBudget(account: Budgeted, amount: bigint, at: number): OverBudget | undefined {
  let refusing: OverBudget | undefined
  for (const budget of account.budgets) {
    if (budget.spent + account.held + amount <= budget.amount) continue
    const resetsMs = windowEnd(budget.period, at)
    if (refusing === undefined || resetsMs > refusing.resetsMs) refusing = { period: budget.period, resetsMs }
  }
  return refusing
}

/**
 * Moves the budgets of an account to the windows that `at` is in, forward or, when a clock was ahead, back. The spending of the new
 * window is counted from the daily sums, including charges beyond its end that were made while a clock was ahead, so a budget binds
 * even if clocks were wrong.
 */
export function moveWindows(set: WorkingSet, account: Account, userId: number, at: number): void {
  if (account.budgets.every((budget) => isWindowOf(budget, at))) return
  account.budgets = account.budgets.map((budget) =>
    isWindowOf(budget, at) ? budget : { ...budget, ...countWindow(set, account, userId, budget.period, at) },
  )
}

/**
 * Counts a charge made at `atMs`, or a correction of it (negative: less), in the windows that contain that time. Call it when the
 * daily sums include it. A later window begins with its first charge. Nothing is counted in a window that seems to be over: the
 * next hold decides whether it is, or a clock was ahead, and therefore has to read the rows.
 */
export function countSpending(set: WorkingSet, account: Account, userId: number, amount: bigint, atMs: number): void {
  if (account.budgets.length === 0) return
  account.budgets = account.budgets.map((budget) => {
    if (isWindowOf(budget, atMs)) return { ...budget, spent: budget.spent + amount }
    if (atMs > budget.windowStartMs) return { ...budget, ...countWindow(set, account, userId, budget.period, atMs) }
    set.doubtBudgets(account)
    return budget
  })
}

/** What new holds can take under the tightest budget, if none has reset since its last charge; undefined without one. */
export function budgetLeft({ budgets, held }: Budgeted): bigint | undefined {
  let least: bigint | undefined
  for (const { amount, spent } of budgets) {
    const left = amount - spent - held
    if (least === undefined || left < least) least = left
  }
  return least
}

/** First moment that is in all windows of the budgets; undefined without budgets. Unix milliseconds. */
export function budgetsSince({ budgets }: Budgeted): number | undefined {
  return budgets.length === 0 ? undefined : Math.max(...budgets.map(({ windowStartMs }) => windowStartMs))
}

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
  const budgets = operation.budgets.map(({ period, amount }): Budget => {
    const before = account.budgets.find((budget) => budget.period === period)
    if (before !== undefined) return before.amount === amount ? before : { ...before, amount }
    return { account: account.id, period, amount, ...countWindow(set, account, userId, period, at) }
  })
  const isSame = budgets.length === account.budgets.length && budgets.every((each) => account.budgets.includes(each))
  if (!isSame) account.budgets = budgets.length === 0 ? NO_BUDGETS : budgets
  return DONE
}

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

function isWindowOf({ period, windowStartMs }: Omit<Budget, 'account'>, at: number): boolean {
  return windowStart(period, at) === windowStartMs
}

function countWindow(
  set: WorkingSet,
  account: Account,
  userId: number,
  period: BudgetPeriod,
  at: number,
): Pick<Budget, 'windowStartMs' | 'spent'> {
  const windowStartMs = windowStart(period, at)
  return { windowStartMs, spent: set.spentSince(account, userId, windowStartMs / MS_PER_DAY) }
}
