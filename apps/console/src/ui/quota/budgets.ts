import { BUDGET_PERIODS, type Budget, type BudgetInput, type BudgetPeriod } from '@sluice/contract/budget'
import { QUOTA_MAX } from '@sluice/contract/scalars'
import * as v from 'valibot'
import type { Translation } from '~/lib/i18n/texts.ts'
import type { en } from './texts/quota-texts.ts'

/** Quota points, null for no budget, NaN while a field holds something that is not a number. */
export type BudgetFields = Record<BudgetPeriod, number | null>

export const NO_BUDGETS: BudgetFields = { day: null, week: null, month: null }

export function fieldsOfBudgets(budgets: readonly Budget[]): BudgetFields {
  return { ...NO_BUDGETS, ...Object.fromEntries(budgets.map(({ period, quota }) => [period, quota])) }
}

/** An empty field means no budget. */
export function budgetFieldsSchema(t: Translation<typeof en>): v.GenericSchema<BudgetFields, BudgetInput[]> {
  const field = v.nullable(
    v.pipe(
      v.number(t.budgetNoNumber),
      v.minValue(0, t.budgetNegative),
      v.integer(t.budgetWhole),
      v.maxValue(QUOTA_MAX, t.budgetTooLarge),
    ),
  )
  return v.pipe(v.object({ day: field, week: field, month: field }), v.transform(budgetsOf))
}

export function budgetsOf(fields: BudgetFields): BudgetInput[] {
  return BUDGET_PERIODS.flatMap((period) => {
    const quota = fields[period]
    return quota === null ? [] : [{ period, quota }]
  })
}

/** A budget and its used share: 0 to 1, above 1 when an answer cost more than was left. */
export interface UsedBudget {
  readonly budget: Budget
  readonly share: number
}

/** The budget with the largest used share; among equals, the one that resets last. Undefined without budgets. */
export function tightestBudget(budgets: readonly Budget[]): UsedBudget | undefined {
  let tightest: UsedBudget | undefined
  for (const budget of budgets) {
    const share = budget.quota === 0 ? 1 : budget.used_quota / budget.quota
    if (tightest === undefined || share > tightest.share || isLater(budget, share, tightest)) {
      tightest = { budget, share }
    }
  }
  return tightest
}

function isLater({ resets_time: resets }: Budget, share: number, than: UsedBudget): boolean {
  return share === than.share && resets > than.budget.resets_time
}
