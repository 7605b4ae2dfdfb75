import type { BatchContext } from './batch-context.ts'
import type { Account, Budget, LedgerEvent } from './rows.ts'
import type { AccountSlot, WorkingSet } from './working-set.ts'

/** Share of a budget whose spending records an event; below 100 because calls are refused before the whole budget is spent. */
const BUDGET_NOTICE_PERCENT = 90n

/**
 * Records the events of a whole batch: users whose charged balance is below `remindBelow`, once until it has been above again, and
 * nearly spent budgets. Call it when every operation is decided. A batch that is applied again finds its balances and marks as it
 * left them, so each event is recorded once.
 */
export function noteEvents(set: WorkingSet, { remindBelow }: BatchContext): void {
  for (const slot of set.touchedAccounts()) {
    if (remindBelow !== undefined && slot.account.kind === 'user') remind(set, slot, remindBelow)
    if (slot.account.budgets !== slot.before.budgets) noteBudgets(set, slot)
  }
}

/** Notifies operators that a late settlement has changed a charge: a replica was paused for longer than a minute. */
export function correctionEvent(account: number, requestId: string, difference: bigint): LedgerEvent {
  return { kind: 'charge_corrected', account, subject: requestId, amount: difference }
}

function remind(set: WorkingSet, { account, before }: AccountSlot, threshold: bigint): void {
  const isLow = account.posted < threshold
  if (!isLow) account.reminded = false
  if (!isLow || account.reminded || account.unlimited || account.posted >= before.posted) return
  account.reminded = true
  set.events.push({ kind: 'balance_low', account: account.id, subject: '', amount: account.posted })
}

function noteBudgets(set: WorkingSet, { account, before }: AccountSlot): void {
  for (const budget of account.budgets) {
    if (!isNearlySpent(budget) || wasNearlySpent(before, budget)) continue
    set.events.push({ kind: 'budget_low', account: account.id, subject: budget.period, amount: budget.amount })
  }
}

function wasNearlySpent({ budgets }: Readonly<Account>, { period, windowStartMs }: Budget): boolean {
  const earlier = budgets.find((budget) => budget.period === period)
  return earlier !== undefined && earlier.windowStartMs === windowStartMs && isNearlySpent(earlier)
}

function isNearlySpent({ spent, amount }: Budget): boolean {
  return amount > 0n && spent * 100n >= amount * BUDGET_NOTICE_PERCENT
}
