import * as v from 'valibot'
import { quotaInput, unixSeconds, wholeQuota } from './scalars.ts'

/** How long a budget counts before it resets: a day, a week from Monday, a month; all in UTC. */
export const BUDGET_PERIODS = ['day', 'week', 'month'] as const
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number]

const period = v.picklist(BUDGET_PERIODS, `must be one of ${BUDGET_PERIODS.join(', ')}`)

export const budget = v.object({
  period,
  quota: wholeQuota,
  used_quota: wholeQuota,
  resets_time: unixSeconds,
})
export type Budget = v.InferOutput<typeof budget>

/** Replaces all budgets: an empty list for none, absent to leave them unchanged. Accepts a list as replies return it. */
export const budgetsInput = v.optional(
  v.pipe(
    v.array(v.object({ period, quota: quotaInput })),
    v.check(
      (budgets) => new Set(budgets.map((each) => each.period)).size === budgets.length,
      'must contain at most one budget per period',
    ),
  ),
)
export type BudgetInput = NonNullable<v.InferOutput<typeof budgetsInput>>[number]
