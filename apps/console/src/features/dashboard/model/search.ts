import * as v from 'valibot'
import type { Day } from './days.ts'
import { checkRange, type DateRange, defaultRange, type RangeWindow } from './range.ts'
import { METRICS } from './usage.ts'

/** Value of the user filter that stands for everybody; what holders of `dashboard.anyUser` see on open. */
export const ALL_USERS = 'all'

const LONGEST_DATE = 32
const optionalDate = v.optional(v.fallback(v.optional(v.pipe(v.string(), v.maxLength(LONGEST_DATE))), undefined))

/** The dashboard's part of the address. What equals the default is left out; what fits no rule counts as left out. */
export const dashboardSearch = v.object({
  from: optionalDate,
  to: optionalDate,
  /** Id of one user; everybody when absent. Means nothing without `dashboard.anyUser`. */
  user: v.optional(v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))), undefined)),
  metric: v.optional(v.fallback(v.picklist(METRICS), METRICS[0]), METRICS[0]),
})
export type DashboardSearch = v.InferOutput<typeof dashboardSearch>

/** Left out of the address. */
export const DASHBOARD_DEFAULTS = { metric: METRICS[0] } as const

/** The range of an address; a side that is missing comes from the default. May break the rules of `checkRange`. */
export function rangeOf(search: Pick<DashboardSearch, 'from' | 'to'>, today: Day): DateRange {
  const standard = defaultRange(today)
  return { from: search.from ?? standard.from, to: search.to ?? standard.to }
}

/** The address of a range: nothing for the default, which moves on with the days. */
export function searchOf(range: DateRange, today: Day): Pick<DashboardSearch, 'from' | 'to'> {
  const standard = defaultRange(today)
  const isStandard = range.from === standard.from && range.to === standard.to
  return isStandard ? { from: undefined, to: undefined } : range
}

/** What may be asked of the server for an address; `undefined` when its range breaks a rule. */
export function requestOf(
  search: Pick<DashboardSearch, 'from' | 'to' | 'user'>,
  window: RangeWindow,
  today: Day,
): { readonly range: DateRange; readonly user: string } | undefined {
  const range = rangeOf(search, today)
  if (checkRange(range, window, today) !== undefined) return undefined
  const user = search.user === undefined ? ALL_USERS : String(search.user)
  return { range, user: window === 'any' ? user : '' }
}
