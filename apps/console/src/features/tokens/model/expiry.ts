import { toDateTimeInput } from '../../../lib/format/date.ts'

/** Time to add to now; a month counts 30 days. */
export interface ExpiryStep {
  readonly months?: number
  readonly days?: number
  readonly hours?: number
  readonly minutes?: number
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const MONTH_MS = 30 * DAY_MS

/** Text for the date-time input at that distance from now (unix ms); all zero clears it. */
export function expiryAfter({ months = 0, days = 0, hours = 0, minutes = 0 }: ExpiryStep, now: number): string {
  const distance = months * MONTH_MS + days * DAY_MS + hours * HOUR_MS + minutes * MINUTE_MS
  return distance === 0 ? '' : toDateTimeInput(new Date(now + distance))
}

/** Unix seconds of a date-time input's text, rounded up; -1 (never) for an empty one, `undefined` when it is not a date. */
export function expiredTimeOf(text: string): number | undefined {
  if (text.trim() === '') return -1
  const milliseconds = new Date(text).getTime()
  return Number.isNaN(milliseconds) ? undefined : Math.ceil(milliseconds / 1_000)
}

/** Text for the date-time input from a stored expiry; empty for never. */
export function expiryText(expiredTime: number): string {
  return expiredTime <= 0 ? '' : toDateTimeInput(new Date(expiredTime * 1_000))
}
