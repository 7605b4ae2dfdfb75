import { useDeferredValue } from 'react'
import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { Bar } from '../model/histogram.ts'
import { stretchText } from '../model/stretch-text.ts'
import { logTexts } from '../texts/log-texts.ts'

interface HistogramTableProps {
  readonly caption: string
  readonly bars: readonly Bar[]
  readonly cost: (quota: number) => string
  /** Hidden visually, but available to screen readers. */
  readonly shown: boolean
}

const NO_BARS: readonly Bar[] = []

/** The non-empty intervals of a histogram as a table; filled in after the bars are on screen. */
export function HistogramTable({ caption, bars, cost, shown }: HistogramTableProps) {
  const t = useTexts(logTexts)
  const filled = useDeferredValue(bars, NO_BARS).filter(({ entries }) => entries > 0)
  return (
    <div
      className={shown ? 'border-line max-h-44 overflow-auto rounded-md border' : 'sr-only'}
      {...(shown && { tabIndex: 0, role: 'region', 'aria-label': caption })}
    >
      <table className="w-full border-collapse text-xs tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead className="bg-subtle sticky top-0">
          <tr>
            <th scope="col" className="px-2 py-1.5 text-start font-medium">
              {t.columns.time}
            </th>
            {[t.chart.rows, t.chart.cost].map((column) => (
              <th key={column} scope="col" className="px-2 py-1.5 text-end font-medium">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {filled.map((bar) => (
            <tr key={bar.start} className="border-line border-t">
              <th scope="row" className="px-2 py-1.5 text-start font-normal">
                {stretchText(bar)}
              </th>
              <td className="px-2 py-1.5 text-end">{formatCount(bar.entries)}</td>
              <td className="px-2 py-1.5 text-end">{cost(bar.quota)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
