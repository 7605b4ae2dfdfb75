import type { Refusal } from '@sluice/contract/errors'
import { dayOf, parseDay } from '@sluice/observe/day'

/** Days since 1970-01-01 UTC, both included. */
export interface DateRange {
  readonly from: number
  readonly to: number
}

/** How far back a caller may look, and the wording of that limit. */
interface Window {
  readonly days: number
  readonly name: string
}
const WEEK: Window = { days: 7, name: '7 days' }
const YEAR: Window = { days: 365, name: '1 year' }

const HOUR_MS = 3_600_000
/** Further east "today" is already the next day, further west still yesterday, while the server counts days in UTC. */
const EARLIEST_ZONE_MS = 14 * HOUR_MS
const LATEST_ZONE_MS = 12 * HOUR_MS

/** The requested range, by default the last seven days including today, or the broken rule. */
export function dateRange(
  query: { readonly from_date: string; readonly to_date: string },
  wide: boolean,
  now: number,
): DateRange | Refusal {
  const window = wide ? YEAR : WEEK
  const to = query.to_date === '' ? dayOf(now) : parseDay(query.to_date)
  if (to === undefined) return wrong('to_date', 'To date must be a date in the form YYYY-MM-DD')
  const from = query.from_date === '' ? to - (WEEK.days - 1) : parseDay(query.from_date)
  if (from === undefined) return wrong('from_date', 'From date must be a date in the form YYYY-MM-DD')

  if (from > to) return wrong('from_date', 'From date must be before or equal to To date')
  if (to > dayOf(now + EARLIEST_ZONE_MS)) return wrong('to_date', 'To date cannot be in the future')
  if (from < dayOf(now - LATEST_ZONE_MS) - window.days) {
    return wrong('from_date', `From date cannot be more than ${window.name} ago`)
  }
  if (to - from + 1 > window.days) return wrong('from_date', `Date range cannot exceed ${window.name}`)
  return { from, to }
}

function wrong(field: string, reason: string): Refusal {
  return { code: 'refused', params: { reason }, field }
}
