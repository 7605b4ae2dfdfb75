import type { DashboardSearch } from './search.ts'

/** How far back the dashboard reaches, in days: a week for everyone, a year for holders of `dashboard.anyUser`. */
export const WINDOW_DAYS = { own: 7, any: 365 } as const
export type RangeWindow = keyof typeof WINDOW_DAYS

/** Both ends included. Dates can be whatever a visitor typed: empty, or not a date at all. */
export interface DateRange {
  readonly from: Day
  readonly to: Day
}

/** Lengths of the quick ranges, in days that end today. */
export const QUICK_RANGES = { today: 1, week: 7, month: 30 } as const
export type QuickRange = keyof typeof QUICK_RANGES

export function quickRange(range: QuickRange, today: Day): DateRange {
  return { from: addDays(today, 1 - QUICK_RANGES[range]), to: today }
}

/** The last seven days, including today. */
export function defaultRange(today: Day): DateRange {
  return quickRange('week', today)
}

export function quickRangeOf({ from, to }: DateRange, today: Day): QuickRange | undefined {
  if (to !== today) return undefined
  if (from === today) return 'today'
  if (from === quickRange('week', today).from) return 'week'
  return from === quickRange('month', today).from ? 'month' : undefined
}

export function rangeLimits(window: RangeWindow, today: Day): { readonly min: Day; readonly max: Day } {
  return { min: addDays(today, -WINDOW_DAYS[window]), max: today }
}

export type RangeProblem =
  | { readonly field: 'from'; readonly rule: 'fromInvalid' | 'fromAfterTo' | 'fromTooEarly' }
  | { readonly field: 'to'; readonly rule: 'toInvalid' | 'toInFuture' | 'tooLong' }

/** The first rule that a range breaks; `undefined` for a valid range. */
export function checkRange(range: DateRange, window: RangeWindow, today: Day): RangeProblem | undefined {
  const from = parseDay(range.from)
  const to = parseDay(range.to)
  if (from === undefined) return { field: 'from', rule: 'fromInvalid' }
  if (to === undefined) return { field: 'to', rule: 'toInvalid' }
  if (from > to) return { field: 'from', rule: 'fromAfterTo' }
  if (to > today) return { field: 'to', rule: 'toInFuture' }
  if (from < rangeLimits(window, today).min) return { field: 'from', rule: 'fromTooEarly' }
  if (countDays(from, to) > WINDOW_DAYS[window]) return { field: 'to', rule: 'tooLong' }
  return undefined
}

/** A day as the gateway counts it: `YYYY-MM-DD`, UTC. */
export type Day = string

const DAY_MS = 86_400_000

export function dayOf(unixMs: number): Day {
  return new Date(unixMs).toISOString().slice(0, 10)
}

/** The day that a text names; `undefined` for texts that do not name one, such as 30 February. */
export function parseDay(text: string): Day | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const at = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(at) || dayOf(at) !== text ? undefined : text
}

/** In unix milliseconds. */
export function startOfDay(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`)
}

export function addDays(day: Day, count: number): Day {
  return dayOf(startOfDay(day) + count * DAY_MS)
}

/** Both days included; 0 when they are in the wrong order. */
export function countDays(from: Day, to: Day): number {
  return Math.max(0, Math.round((startOfDay(to) - startOfDay(from)) / DAY_MS) + 1)
}

/** Both days included. */
export function listDays(from: Day, to: Day): readonly Day[] {
  return Array.from({ length: countDays(from, to) }, (_, index) => addDays(from, index))
}

/** Value of the user filter that means everyone; the initial value for holders of `dashboard.anyUser`. */
export const ALL_USERS = 'all'

/** A missing end is taken from the default. The range can break the rules of `checkRange`. */
export function rangeOf(search: Pick<DashboardSearch, 'from' | 'to'>, today: Day): DateRange {
  const standard = defaultRange(today)
  return { from: search.from ?? standard.from, to: search.to ?? standard.to }
}

/** Empty for the default range, which moves on from day to day. */
export function searchOf(range: DateRange, today: Day): Pick<DashboardSearch, 'from' | 'to'> {
  const standard = defaultRange(today)
  const isStandard = range.from === standard.from && range.to === standard.to
  return isStandard ? { from: undefined, to: undefined } : range
}

/** `undefined` when the range in the address breaks a rule. */
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
