import type { DayName } from './plot.tsx'

/** `colour` is a position of the palette. */
export interface SheetSeries {
  readonly name: string
  readonly values: readonly number[]
  readonly colour: number | undefined
}

export interface ChartSheet {
  readonly days: readonly DayName[]
  readonly series: readonly SheetSeries[]
  /** Name of the last column, which adds up the others; without a name, that column is left out. */
  readonly total?: string | undefined
}

export function sheetColumns({ series, total }: ChartSheet): readonly string[] {
  const names = series.map(({ name }) => name)
  return total === undefined ? names : [...names, total]
}

export function sheetRow({ series, total }: ChartSheet, day: number): readonly number[] {
  const values = series.map((one) => one.values[day] ?? 0)
  return total === undefined ? values : [...values, values.reduce((sum, value) => sum + value, 0)]
}

/** For CSV, with a header: days as `YYYY-MM-DD`, values as plain numbers. */
export function sheetRows(sheet: ChartSheet, dayColumn: string): readonly (readonly (string | number)[])[] {
  const header = [dayColumn, ...sheetColumns(sheet)]
  return [header, ...sheet.days.map(({ iso }, day) => [iso, ...sheetRow(sheet, day).map(toThousandths)])]
}

/** Sums amounts with three decimals, without binary rounding errors. */
function toThousandths(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
