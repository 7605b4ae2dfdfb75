/** How long a budget runs before it resets: a day, a week from Monday (ISO 8601) or a month, all in UTC. */
export type BudgetPeriod = 'day' | 'week' | 'month'

export const BUDGET_PERIODS: readonly BudgetPeriod[] = ['day', 'week', 'month']

export const MS_PER_DAY = 86_400_000
const DAYS_PER_WEEK = 7
/** 1970-01-01 was a Thursday. */
const DAYS_FROM_MONDAY = 3

/** First moment of the window that contains `ms`. Unix milliseconds. */
export function windowStart(period: BudgetPeriod, ms: number): number {
  const day = Math.floor(ms / MS_PER_DAY)
  switch (period) {
    case 'day':
      return day * MS_PER_DAY
    case 'week':
      return (day - ((day + DAYS_FROM_MONDAY) % DAYS_PER_WEEK)) * MS_PER_DAY
    case 'month':
      return monthStart(ms, 0)
  }
}

/** First moment after the window that contains `ms`. Unix milliseconds. */
export function windowEnd(period: BudgetPeriod, ms: number): number {
  switch (period) {
    case 'day':
      return windowStart(period, ms) + MS_PER_DAY
    case 'week':
      return windowStart(period, ms) + DAYS_PER_WEEK * MS_PER_DAY
    case 'month':
      return monthStart(ms, 1)
  }
}

function monthStart(ms: number, later: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1)
}
