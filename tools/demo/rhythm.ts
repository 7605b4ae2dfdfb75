import type { TokenUse } from './cast.ts'

const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** Requests per hour of the day (UTC) relative to each other. */
const HOURS: Readonly<Record<TokenUse['rhythm'], readonly number[]>> = {
  office: [0, 0, 0, 0, 0, 0.1, 0.4, 1.2, 2.4, 3, 3, 2.2, 1.4, 2.4, 3, 2.8, 2, 1, 0.5, 0.3, 0.3, 0.2, 0.1, 0],
  steady: [
    0.4, 0.3, 0.2, 0.2, 0.3, 0.4, 0.7, 1, 1.5, 1.8, 1.9, 1.7, 1.5, 1.7, 1.8, 1.7, 1.6, 1.5, 1.4, 1.3, 1.2, 1, 0.8, 0.6,
  ],
  nightly: [0, 0, 14, 8, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
}
/** Sunday first. */
const WEEKDAYS: Readonly<Record<TokenUse['rhythm'], readonly number[]>> = {
  office: [0.05, 1.05, 1.15, 1.15, 1.1, 0.9, 0.08],
  steady: [0.6, 1.05, 1.1, 1.1, 1.1, 1.05, 0.7],
  nightly: [1, 1, 1, 1, 1, 1, 0.3],
}
/** Relative growth of use over the whole time. */
const GROWTH = 0.6

/** Requests of a token in the hour that begins at `at` (unix ms), as a share of its average hour. */
export function intensity(rhythm: TokenUse['rhythm'], at: number, from: number, days: number): number {
  const time = new Date(at)
  const hour = HOURS[rhythm][time.getUTCHours()] ?? 0
  const weekday = WEEKDAYS[rhythm][time.getUTCDay()] ?? 0
  const grown = 1 - GROWTH / 2 + (GROWTH * (at - from)) / (days * DAY_MS)
  return hour * weekday * grown
}

export function* hoursBetween(from: number, until: number): Generator<number> {
  for (let at = Math.ceil(from / HOUR_MS) * HOUR_MS; at + HOUR_MS <= until; at += HOUR_MS) yield at
}

export function withinHour(hour: number, share: number): number {
  return hour + Math.floor(share * HOUR_MS)
}
