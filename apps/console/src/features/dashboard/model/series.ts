import type { LogFilter } from './logs-of.ts'
import type { Day } from './range.ts'
import { type Metric } from './search.ts'
import { measure, type UsageRow } from './usage.ts'

/** Series that a folded stacked chart shows by name, one per colour of the palette; the others are added up as one. */
export const NAMED_SERIES_MAX = 15

export interface UsageSeries {
  /** `OTHER_KEY` for the series that adds up the others. */
  readonly key: string
  readonly name: string
  /** One value per day of the range. */
  readonly values: readonly number[]
  readonly total: number
  /** Position in the palette, whose colours repeat; `undefined` for the series that adds up the others. */
  readonly colour: number | undefined
  /** `undefined` where no filter finds its logs. */
  readonly filter: LogFilter | undefined
}

/** Cannot collide with a name from the server, which contains no control characters. */
export const OTHER_KEY = '\u0000other'

export interface SeriesInput<Row extends UsageRow> {
  readonly rows: readonly Row[]
  readonly days: readonly Day[]
  readonly metric: Metric
  /** `undefined` for rows that the server has already added up. */
  readonly nameOf: (row: Row) => string | undefined
  readonly filterOf: (row: Row) => LogFilter | undefined
  readonly otherName: string
}

/**
 * Largest first, followed by what the server has added up. Colours follow the number of requests and the order follows the metric,
 * so that a series keeps its colour when the metric changes.
 */
export function usageSeries<Row extends UsageRow>(input: SeriesInput<Row>): readonly UsageSeries[] {
  const groups = groupRows(input)
    .filter(({ total, requests }) => total > 0 || requests > 0)
    .sort((a, b) => b.total - a.total || byName(a, b))
  const named = groups.filter(({ name }) => name !== undefined)
  const byRequests = (some: readonly Group[]) => [...some].sort((a, b) => b.requests - a.requests || byName(a, b))
  // Unfolding keeps the colours of the series that were already shown.
  const coloured = [...byRequests(named.slice(0, NAMED_SERIES_MAX)), ...byRequests(named.slice(NAMED_SERIES_MAX))]
  const colours = new Map(coloured.map((group, position) => [group, position]))
  const series = named.map((group): UsageSeries => ({
    key: group.name ?? '',
    name: group.name ?? '',
    values: group.values,
    total: group.total,
    colour: colours.get(group),
    filter: group.filter,
  }))
  return withRest(
    series,
    groups.filter(({ name }) => name === undefined),
    input.otherName,
  )
}

export function namedCount(series: readonly UsageSeries[]): number {
  return series.filter(({ key }) => key !== OTHER_KEY).length
}

/** A single series is not folded: it takes no more room than a sum, and its name says more. */
export function isFoldable(series: readonly UsageSeries[]): boolean {
  return namedCount(series) > NAMED_SERIES_MAX + 1
}

export function foldedSeries(series: readonly UsageSeries[], otherName: string): readonly UsageSeries[] {
  if (!isFoldable(series)) return series
  return withRest(series.slice(0, NAMED_SERIES_MAX), series.slice(NAMED_SERIES_MAX), otherName)
}

function withRest(
  series: readonly UsageSeries[],
  rest: readonly Pick<UsageSeries, 'values' | 'total'>[],
  name: string,
): readonly UsageSeries[] {
  const [first] = rest
  if (first === undefined) return series
  const values = first.values.map((_, day) => rest.reduce((sum, one) => sum + (one.values[day] ?? 0), 0))
  const total = rest.reduce((sum, one) => sum + one.total, 0)
  return [...series, { key: OTHER_KEY, name, values, total, colour: undefined, filter: undefined }]
}

/** Rows with the same name, or the nameless rows that the server has added up. */
interface Group {
  readonly name: string | undefined
  readonly filter: LogFilter | undefined
  readonly values: number[]
  total: number
  requests: number
}

function groupRows<Row extends UsageRow>({ rows, days, metric, nameOf, filterOf }: SeriesInput<Row>): Group[] {
  const positions = new Map(days.map((day, index) => [day, index]))
  const groups = new Map<string | undefined, Group>()
  for (const row of rows) {
    const at = positions.get(row.Day)
    if (at === undefined) continue
    const name = nameOf(row)
    const group = groups.get(name) ?? { name, filter: filterOf(row), values: days.map(() => 0), total: 0, requests: 0 }
    groups.set(name, group)
    const value = measure(row, metric)
    group.values[at] = (group.values[at] ?? 0) + value
    group.total += value
    group.requests += row.RequestCount
  }
  return [...groups.values()]
}

function byName(a: Group, b: Group): number {
  return (a.name ?? '') < (b.name ?? '') ? -1 : 1
}
