import { BUDGET_PERIODS, type Budget, type BudgetInput } from '@sluice/contract/budget'
import type { Refusal } from '@sluice/contract/errors'
import { windowEnd, windowStart } from '@sluice/ledger/budget-window'
import { mq, mqFromQuota, wholeCharge, wholeQuota } from '@sluice/ledger/units'
import type { BudgetRow } from '@sluice/store/queries/ledger/budgets'
import type { SharedPorts } from './ports.ts'

/**
 * Budgets on the wire, shortest period first. `now` in unix milliseconds. A window that is over shows no spending. A window in the
 * future comes from a clock that was ahead; counting restarts today with the next call.
 */
export function budgetsOnWire(rows: readonly BudgetRow[], now: number): Budget[] {
  return [...rows]
    .sort((one, other) => BUDGET_PERIODS.indexOf(one.period) - BUDGET_PERIODS.indexOf(other.period))
    .map(({ period, amount, windowStartMs, spent }) => {
      return {
        period,
        quota: wholeQuota(mq(amount)),
        used_quota: windowStartMs >= windowStart(period, now) ? wholeCharge(mq(spent)) : 0,
        resets_time: windowEnd(period, now) / 1_000,
      }
    })
}

export interface BudgetOwner {
  readonly kind: 'user' | 'token'
  readonly id: number
  readonly userId: number
  readonly unlimited: boolean
}

/** Sets the budgets to the values in a form. Undefined on success, also if the form contains no budgets or no changes. */
export async function setBudgets(
  { ledger }: Pick<SharedPorts, 'ledger'>,
  { kind, id, userId, unlimited }: BudgetOwner,
  before: readonly BudgetRow[],
  wanted: readonly BudgetInput[] | undefined,
): Promise<Refusal | undefined> {
  if (wanted === undefined || areSame(before, wanted)) return undefined
  const account = await ledger.openAccount(kind, id, unlimited)
  if (account === 'unavailable') return UNAVAILABLE
  const budgets = wanted.map(({ period, quota }) => ({ period, amount: mqFromQuota(quota) }))
  return (await ledger.setBudgets({ account, userId, budgets })) === 'set' ? undefined : UNAVAILABLE
}

const UNAVAILABLE: Refusal = { code: 'ledger_unavailable', retryAfter: 1 }

/** Saving an unchanged form must not write anything. */
function areSame(before: readonly BudgetRow[], wanted: readonly BudgetInput[]): boolean {
  const has = ({ period, quota }: BudgetInput): boolean =>
    before.some((row) => row.period === period && row.amount === mqFromQuota(quota))
  return before.length === wanted.length && wanted.every(has)
}
