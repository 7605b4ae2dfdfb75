import type { DayName } from './plot.tsx'

/** Name and values of a series; `colour` as in the palette. */
export interface SheetSeries {
  readonly name: string
  readonly values: readonly number[]
  readonly colour: number | undefined
}

/** The data of a chart, by day: its table and its files are made from it. */
export interface ChartSheet {
  readonly days: readonly DayName[]
  readonly series: readonly SheetSeries[]
  /** Name of the last column, which adds up the others; without a name there is no such column. */
  readonly total?: string | undefined
}

export function sheetColumns({ series, total }: ChartSheet): readonly string[] {
  const names = series.map(({ name }) => name)
  return total === undefined ? names : [...names, total]
}

/** The values of a day, one per column. */
export function sheetRow({ series, total }: ChartSheet, day: number): readonly number[] {
  const values = series.map((one) => one.values[day] ?? 0)
  return total === undefined ? values : [...values, values.reduce((sum, value) => sum + value, 0)]
}

/** Rows of a CSV file with its header: days as `YYYY-MM-DD`, values as plain numbers. */
export function sheetRows(sheet: ChartSheet, dayColumn: string): readonly (readonly (string | number)[])[] {
  const header = [dayColumn, ...sheetColumns(sheet)]
  return [header, ...sheet.days.map(({ iso }, day) => [iso, ...sheetRow(sheet, day).map(toThousandths)])]
}

/** Sums of amounts with three decimals, without binary rounding errors. */
function toThousandths(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
