import type { BudgetPeriod } from '@sluice/contract/budget'
import type { KeyUsage } from '@sluice/contract/key-holder'
import { windowEnd, windowStart } from '@sluice/ledger/budget-window'
import { type BalanceRow, findBalance } from '@sluice/store/queries/ledger/balances'
import type { BudgetRow } from '@sluice/store/queries/ledger/budgets'
import type { KeyHolder, SharedPorts } from '../ports.ts'
import { inUnits } from './billing.ts'

/** A key's spending and what is left of its own limits and its owner's. */
export async function usageOf(
  { database, options, now }: Pick<SharedPorts, 'database' | 'options' | 'now'>,
  { account, limitAccount }: KeyHolder,
): Promise<KeyUsage> {
  const db = database.kysely
  const [key, owner] = await Promise.all([findBalance(db, limitAccount), findBalance(db, account)])
  return keyUsage(key, owner, { unit: options().QuotaPerUnit, now: now() })
}

/** @param now unix milliseconds */
export function keyUsage(
  key: BalanceRow,
  owner: BalanceRow,
  { unit, now }: { readonly unit: number; readonly now: number },
): KeyUsage {
  const budgets = [...key.budgets, ...owner.budgets].map((budget) => currentWindow(budget, now))
  const limits = [
    ...[key, owner].filter(({ unlimited }) => !unlimited).map(({ posted, held }) => posted - held),
    ...budgets.map(({ left }) => left),
  ]
  const remaining = limits.length === 0 ? undefined : atLeastNothing(least(limits))
  const shown = (amount: bigint) => inUnits(amount, unit)
  const tightest = (period: BudgetPeriod) =>
    budgets
      .filter((budget) => budget.period === period)
      .reduce<Window | undefined>(
        (found, each) => (found === undefined || each.left < found.left ? each : found),
        undefined,
      )
  const [daily, weekly, monthly] = [tightest('day'), tightest('week'), tightest('month')]
  const spentOf = (window: Window | undefined) => (window === undefined ? null : shown(window.spent))
  const limitOf = (window: Window | undefined) => (window === undefined ? null : shown(window.amount))
  const resets = budgets.map(({ endMs }) => endMs)
  return {
    isValid: true,
    remaining: remaining === undefined ? -1 : shown(remaining),
    used: shown(key.spent),
    total: remaining === undefined ? -1 : shown(remaining + key.spent),
    unit: 'USD',
    subscription: {
      daily_usage_usd: spentOf(daily),
      daily_limit_usd: limitOf(daily),
      weekly_usage_usd: spentOf(weekly),
      weekly_limit_usd: limitOf(weekly),
      monthly_usage_usd: spentOf(monthly),
      monthly_limit_usd: limitOf(monthly),
      resets_at: resets.length === 0 ? null : new Date(Math.min(...resets)).toISOString(),
    },
  }
}

interface Window {
  readonly period: BudgetPeriod
  readonly amount: bigint
  readonly spent: bigint
  readonly left: bigint
  readonly endMs: number
}

/** A window that is over shows no spending. */
function currentWindow({ period, amount, windowStartMs, spent: counted }: BudgetRow, now: number): Window {
  const spent = windowStartMs >= windowStart(period, now) ? counted : 0n
  return { period, amount, spent, left: amount - spent, endMs: windowEnd(period, now) }
}

const least = (amounts: readonly bigint[]): bigint => amounts.reduce((one, other) => (other < one ? other : one))
const atLeastNothing = (amount: bigint): bigint => (amount < 0n ? 0n : amount)
