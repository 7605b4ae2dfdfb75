import { clsx } from 'clsx'
import { useDeferredValue } from 'react'
import { useTexts } from '../../lib/i18n/i18n.ts'
import { chartTexts } from './texts/chart-texts.ts'

export interface DataTableProps {
  readonly caption: string
  /** Names of the value columns. */
  readonly columns: readonly string[]
  /** One row per day: its name and its values, written out. */
  readonly rows: readonly (readonly [day: string, ...values: string[]])[]
  readonly shown: boolean
}

const NOTHING: DataTableProps['rows'] = []

/** The values of a chart in rows and columns. A year of it is large, so it is filled in after the chart is on screen. */
export function DataTable({ caption, columns, rows, shown }: DataTableProps) {
  const t = useTexts(chartTexts)
  const filled = useDeferredValue(rows, NOTHING)
  return (
    <div
      className={shown ? 'border-line max-h-96 overflow-auto rounded-md border' : 'sr-only'}
      {...(shown && { tabIndex: 0, role: 'region', 'aria-label': caption })}
    >
      <table className="w-full border-collapse text-xs tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead className="bg-subtle sticky top-0">
          <tr>
            {[t.day, ...columns].map((column, index) => (
              <th
                key={index}
                scope="col"
                className={clsx('px-2 py-1.5 font-medium whitespace-nowrap', index === 0 ? 'text-left' : 'text-right')}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {filled.map(([day, ...values]) => (
            <tr key={day} className="border-line border-t">
              <th scope="row" className="px-2 py-1.5 text-left font-normal whitespace-nowrap">
                {day}
              </th>
              {values.map((value, index) => (
                <td key={index} className="px-2 py-1.5 text-right whitespace-nowrap">
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
