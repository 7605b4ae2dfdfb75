import type { ChartSeries } from './chart-series.ts'
import type { DayAxis, ValueAxis } from './geometry.ts'

const WIDEST_BAR_PX = 56
/** Fraction of a day that a bar fills; below this width of a day, a gap would only flicker. */
const FILLED = 0.78
const GAP_FROM_PX = 5

/** The bars of one series as one SVG path: a year of fifteen series is fifteen elements, not five thousand. */
export interface BarPath {
  readonly key: string
  readonly d: string
}

export function stackedBars(series: readonly ChartSeries[], days: DayAxis, values: ValueAxis): readonly BarPath[] {
  const width = Math.min(WIDEST_BAR_PX, days.step < GAP_FROM_PX ? days.step : days.step * FILLED)
  /** The stacked total of each day so far. */
  const sums = Array.from({ length: days.count }, () => 0)
  return series.map(({ key, values: amounts }) => {
    const bars = sums.map((below, day) => {
      const above = below + (amounts[day] ?? 0)
      if (above <= below) return ''
      sums[day] = above
      const top = values.y(above)
      const height = values.y(below) - top
      return `M${round(days.x(day) - width / 2)} ${round(top)}h${round(width)}v${round(height)}h${round(-width)}z`
    })
    return { key, d: bars.join('') }
  })
}

/** Largest sum of a day. */
export function stackedMax(series: readonly ChartSeries[], dayCount: number): number {
  let max = 0
  for (let day = 0; day < dayCount; day += 1) {
    max = Math.max(
      max,
      series.reduce((sum, { values }) => sum + (values[day] ?? 0), 0),
    )
  }
  return max
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
