import { type Day, addDays, countDays, checkRange, type DateRange, type RangeWindow } from './range.ts'
import { type Metric, METRICS } from './search.ts'
import { type ModelDay, measure, type UsageRow } from './usage.ts'

/** Requests, quota points and tokens of a period. */
export type Totals = Readonly<Record<Metric, number>>

export interface DayTotals extends Totals {
  readonly day: Day
}

/** One entry per day of the range, in order; days without usage count zero. */
export function totalsByDay(rows: readonly UsageRow[], days: readonly Day[]): readonly DayTotals[] {
  const byDay = new Map(days.map((day) => [day, { day, tokens: 0, requests: 0, expenses: 0 }]))
  for (const row of rows) {
    const totals = byDay.get(row.Day)
    if (totals === undefined) continue
    for (const metric of METRICS) totals[metric] += measure(row, metric)
  }
  return [...byDay.values()]
}

export interface Overview {
  readonly total: Totals
  /** Totals divided by the days of the range, used or not. */
  readonly perDay: Totals
  /** Quota points per request; 0 without requests. */
  readonly costPerRequest: number
  /** Mean of the daily costs per request, over days that had requests. */
  readonly dailyCostPerRequest: number
}

export function overview(days: readonly DayTotals[]): Overview {
  const total = { tokens: 0, requests: 0, expenses: 0 }
  for (const day of days) for (const metric of METRICS) total[metric] += day[metric]
  const costs = days.filter(({ requests }) => requests > 0).map(({ expenses, requests }) => expenses / requests)
  return {
    total,
    perDay: {
      tokens: ratio(total.tokens, days.length),
      requests: ratio(total.requests, days.length),
      expenses: ratio(total.expenses, days.length),
    },
    costPerRequest: ratio(total.expenses, total.requests),
    dailyCostPerRequest: ratio(
      costs.reduce((sum, cost) => sum + cost, 0),
      costs.length,
    ),
  }
}

function ratio(value: number, by: number): number {
  return by === 0 ? 0 : value / by
}

/** The earlier day if two are equal; `undefined` when nothing was used. */
export function peakDay(days: readonly DayTotals[], metric: Metric): DayTotals | undefined {
  let peak: DayTotals | undefined
  for (const day of days) if (day[metric] > (peak?.[metric] ?? 0)) peak = day
  return peak
}

export interface Leader {
  /** As the server names the model; empty for rows without one. */
  readonly model: string
  readonly value: number
}

/** The alphabetically first model if several are equal; `undefined` when nothing was used. */
export function leader(rows: readonly ModelDay[], metric: Metric): Leader | undefined {
  const [first] = [...totalsByModel(rows, metric)].sort(
    ([a, valueA], [b, valueB]) => valueB - valueA || (a < b ? -1 : 1),
  )
  return first === undefined || first[1] <= 0 ? undefined : { model: first[0], value: first[1] }
}

/** Number of models that answered at least one request. */
export function modelsInUse(rows: readonly ModelDay[]): number {
  return [...totalsByModel(rows, 'requests').values()].filter((requests) => requests > 0).length
}

function totalsByModel(rows: readonly ModelDay[], metric: Metric): Map<string, number> {
  const totals = new Map<string, number>()
  for (const row of rows) totals.set(row.ModelName, (totals.get(row.ModelName) ?? 0) + measure(row, metric))
  return totals
}

/** The same number of days right before a range. */
export function previousRange({ from, to }: DateRange): DateRange {
  return { from: addDays(from, -countDays(from, to)), to: addDays(from, -1) }
}

/** `undefined` when the window does not reach back far enough. */
export function comparableRange(range: DateRange, window: RangeWindow, today: string): DateRange | undefined {
  const previous = previousRange(range)
  return checkRange(previous, window, today) === undefined ? previous : undefined
}

/** A fraction of the old value; `undefined` when there is nothing to compare with. */
export function change(now: number, before: number): number | undefined {
  return before === 0 ? undefined : (now - before) / before
}
