import { clsx } from 'clsx'
import { useDeferredValue } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { ValueFormat } from './chart-series.ts'
import { type ChartSheet, sheetColumns, sheetRow } from './chart-sheet.ts'
import type { DayName } from './plot.tsx'
import { chartTexts } from './texts/chart-texts.ts'

interface DataTableProps extends ChartSheet {
  readonly caption: string
  readonly format: ValueFormat
  readonly shown: boolean
}

const NO_DAYS: readonly DayName[] = []

/** The values of a chart as a table. A year of it is large, so it is filled in after the chart is on screen. */
export function DataTable({ caption, days, series, total, format, shown }: DataTableProps) {
  const t = useTexts(chartTexts)
  const filled = useDeferredValue(days, NO_DAYS)
  const sheet = { days, series, total }
  return (
    <div
      className={shown ? 'border-line max-h-96 overflow-auto rounded-md border' : 'sr-only'}
      {...(shown && { tabIndex: 0, role: 'region', 'aria-label': caption })}
    >
      <table className="w-full border-collapse text-xs tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead className="bg-subtle sticky top-0">
          <tr>
            {[t.day, ...sheetColumns(sheet)].map((column, index) => (
              <th
                key={index}
                scope="col"
                className={clsx('px-2 py-1.5 font-medium whitespace-nowrap', index === 0 ? 'text-start' : 'text-end')}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {filled.map(({ iso, long }, day) => (
            <tr key={iso} className="border-line border-t">
              <th scope="row" className="px-2 py-1.5 text-start font-normal whitespace-nowrap">
                {long}
              </th>
              {sheetRow(sheet, day).map((value, index) => (
                <td key={index} className="px-2 py-1.5 text-end whitespace-nowrap">
                  {format.exact(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
