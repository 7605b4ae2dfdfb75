/** One line or one layer of bars. */
export interface ChartSeries {
  readonly key: string
  readonly name: string
  /** One value per day. */
  readonly values: readonly number[]
  readonly total: number
  /** Position in the palette; `undefined` for the added-up rest. */
  readonly colour: number | undefined
}

/** How a chart writes its values. */
export interface ValueFormat {
  /** Short, for the axis. */
  readonly axis: (value: number) => string
  /** Exact, for tooltip, spoken text and table. */
  readonly exact: (value: number) => string
  /** False where the values cannot be fractions. */
  readonly fractions: boolean
}

/** A series' value of one day. */
export interface DayValue {
  readonly series: ChartSeries
  readonly value: number
}

/** What happened on a day, the largest first, without what did not happen. */
export function valuesOfDay(series: readonly ChartSeries[], day: number): readonly DayValue[] {
  return series
    .map((one) => ({ series: one, value: one.values[day] ?? 0 }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
}

export function totalOfDay(series: readonly ChartSeries[], day: number): number {
  return series.reduce((sum, { values }) => sum + (values[day] ?? 0), 0)
}
