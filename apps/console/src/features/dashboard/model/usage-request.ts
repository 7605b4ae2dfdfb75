import { type Day, checkRange, type DateRange, defaultRange, type RangeWindow } from './range.ts'
import type { DashboardSearch } from './search.ts'

/** Value of the user filter that means everyone; the initial value for holders of `dashboard.anyUser`. */
export const ALL_USERS = 'all'

/** The range of an address; a missing end is taken from the default. Can break the rules of `checkRange`. */
export function rangeOf(search: Pick<DashboardSearch, 'from' | 'to'>, today: Day): DateRange {
  const standard = defaultRange(today)
  return { from: search.from ?? standard.from, to: search.to ?? standard.to }
}

/** The address of a range: empty for the default, which moves on with the days. */
export function searchOf(range: DateRange, today: Day): Pick<DashboardSearch, 'from' | 'to'> {
  const standard = defaultRange(today)
  const isStandard = range.from === standard.from && range.to === standard.to
  return isStandard ? { from: undefined, to: undefined } : range
}

/** The request to the server for an address; `undefined` when its range breaks a rule. */
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
