import { toDateTimeInput } from '~/lib/format/date.ts'

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
