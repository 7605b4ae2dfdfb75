import * as v from 'valibot'
import { optionalRowId } from '~/lib/list/row-calls.ts'

/** Expenses are in quota points. */
export const METRICS = ['tokens', 'requests', 'expenses'] as const
export type Metric = (typeof METRICS)[number]

const LONGEST_DATE = 32
const optionalDate = v.optional(v.fallback(v.optional(v.pipe(v.string(), v.maxLength(LONGEST_DATE))), undefined))

/** Values equal to the default are left out of the address; invalid ones count as left out. */
export const dashboardSearch = v.object({
  from: optionalDate,
  to: optionalDate,
  /** Id of one user; everyone when absent. Ignored without `dashboard.anyUser`. */
  user: optionalRowId,
  metric: v.optional(v.fallback(v.picklist(METRICS), METRICS[0]), METRICS[0]),
  /** Whether the audit of the ledger is open. Ignored without `ledger.verify`. */
  audit: v.optional(v.fallback(v.boolean(), false), false),
})
export type DashboardSearch = v.InferOutput<typeof dashboardSearch>

export const DASHBOARD_DEFAULTS = { metric: METRICS[0], audit: false } as const
