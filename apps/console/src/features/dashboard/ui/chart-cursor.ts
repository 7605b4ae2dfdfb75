import type { DayName } from '../model/formats.ts'

/** The days of all charts, and the day under the cursor, marked in each of them. */
export interface ChartCursor {
  readonly days: readonly DayName[]
  readonly day: number | undefined
  readonly onDay: (day: number | undefined) => void
}
