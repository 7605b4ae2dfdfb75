import * as v from 'valibot'
import type { Day } from './days.ts'
import { type DateRange, defaultRange } from './range.ts'
import { type Metric, METRICS } from './usage.ts'

/** Value of the user filter that stands for everybody; what holders of `dashboard.anyUser` see on open. */
export const ALL_USERS = 'all'

/** The dashboard's part of the address bar. What equals the default is left out; what fits no rule is ignored. */
export const dashboardSearch = v.object({
  from: v.optional(v.fallback(v.optional(v.pipe(v.string(), v.maxLength(10))), undefined)),
  to: v.optional(v.fallback(v.optional(v.pipe(v.string(), v.maxLength(10))), undefined)),
  user: v.optional(v.fallback(v.optional(v.pipe(v.string(), v.regex(/^\d{1,10}$/))), undefined)),
  metric: v.optional(v.fallback(v.optional(v.picklist(METRICS)), undefined)),
})
export type DashboardSearch = v.InferOutput<typeof dashboardSearch>

/** The range of an address; a side that is missing comes from the default. */
export function rangeOf(search: DashboardSearch, today: Day): DateRange {
  const standard = defaultRange(today)
  return { from: search.from ?? standard.from, to: search.to ?? standard.to }
}

/** The address of a range and a user, without what is the default anyway. */
export function searchOf(range: DateRange, user: string, metric: Metric | undefined, today: Day): DashboardSearch {
  const standard = defaultRange(today)
  const isStandard = range.from === standard.from && range.to === standard.to
  return {
    ...(!isStandard && { from: range.from, to: range.to }),
    ...(user !== ALL_USERS && { user }),
    ...(metric !== undefined && metric !== METRICS[0] && { metric }),
  }
}
