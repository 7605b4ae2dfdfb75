export interface ChartSeries {
  readonly key: string
  readonly name: string
  readonly values: readonly number[]
  readonly total: number
  /** Position in the palette; `undefined` for the series that adds up the others. */
  readonly colour: number | undefined
}

export interface Fold {
  readonly unfolded: boolean
  readonly count: number
  readonly onToggle: () => void
}

export interface ValueFormat {
  readonly axis: (value: number) => string
  /** Exact, for tooltip, spoken text and table. */
  readonly exact: (value: number) => string
  /** False where the values cannot be fractions. */
  readonly fractions: boolean
}

export interface DayValue {
  readonly series: ChartSeries
  readonly value: number
}

/** Largest first, without zero values. */
export function valuesOfDay(series: readonly ChartSeries[], day: number): readonly DayValue[] {
  return series
    .map((one) => ({ series: one, value: one.values[day] ?? 0 }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
}

/** The layer at a height of the day's stack, whose first series is at the bottom; `undefined` above and below the stack. */
export function seriesAt(series: readonly ChartSeries[], day: number, value: number): ChartSeries | undefined {
  if (value < 0) return undefined
  let sum = 0
  for (const one of series) {
    sum += one.values[day] ?? 0
    if (value < sum) return one
  }
  return undefined
}

export function totalOfDay(series: readonly ChartSeries[], day: number): number {
  return series.reduce((sum, { values }) => sum + (values[day] ?? 0), 0)
}
