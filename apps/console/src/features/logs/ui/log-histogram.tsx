import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { type ReactNode, useId, useState, useDeferredValue } from 'react'
import { formatCount, formatQuota } from '~/lib/format/quota.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { IconButton } from '~/ui/button.tsx'
import { ChartIcon, TableIcon } from '~/ui/icons.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { logHistogramQuery } from '../calls.ts'
import type { LogFilters } from '../model/filters/log-window.ts'
import { type Window, type Bar, stretchText } from '../model/histogram.ts'
import { logTexts } from '../texts/log-texts.ts'
import { HistogramPlot, PLOT_PX } from './histogram-plot.tsx'

export type ChartOf = 'rows' | 'cost' | 'off'

interface LogHistogramProps {
  readonly filters: LogFilters
  readonly seesAll: boolean
  readonly chart: ChartOf
  readonly onChart: (chart: ChartOf) => void
  readonly live: boolean
  readonly onWindow: (window: Window) => void
}

const LIVE_MS = 15_000

export function LogHistogram({ filters, seesAll, chart, onChart, live, onWindow }: LogHistogramProps) {
  const t = useTexts(logTexts)
  const titleId = useId()
  const [asTable, setAsTable] = useState(false)
  const query = useQuery({
    ...logHistogramQuery(useCall(), filters, seesAll, Date.now),
    placeholderData: keepPreviousData,
    refetchInterval: live ? LIVE_MS : false,
    enabled: chart !== 'off',
  })
  const bars = query.data?.bars ?? []
  const title = chart === 'cost' ? t.chart.costTitle : t.chart.rowsTitle
  return (
    <figure aria-labelledby={titleId} className="border-line bg-surface min-w-0 rounded-lg border px-3 py-2">
      <figcaption className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id={titleId} className="text-sm font-medium">
          {title}
        </h2>
        {chart !== 'off' && query.data !== undefined && <Total bars={bars} />}
        <span className="ms-auto flex items-center gap-1">
          <ChartChoice chart={chart} onChart={onChart} />
          {chart !== 'off' && (
            <IconButton
              label={asTable ? t.chart.showChart : t.chart.showTable}
              aria-pressed={asTable}
              onClick={() => setAsTable(!asTable)}
            >
              {asTable ? <ChartIcon /> : <TableIcon />}
            </IconButton>
          )}
        </span>
      </figcaption>
      {chart !== 'off' && (
        <div className={clsx('mt-1 transition-opacity', query.isPlaceholderData && 'opacity-60 delay-300')}>
          {query.isError ? (
            <Placeholder>
              <p role="alert" className="text-bad text-sm">
                {t.chart.failed}
              </p>
            </Placeholder>
          ) : query.data === undefined ? (
            <Placeholder>
              <Skeleton className="h-full w-full" />
            </Placeholder>
          ) : (
            <HistogramBody title={title} bars={bars} chart={chart} asTable={asTable} onWindow={onWindow} />
          )}
        </div>
      )}
    </figure>
  )
}

function Total({ bars }: { bars: readonly Bar[] }) {
  const t = useTexts(logTexts)
  const display = useSystemStatus()
  const entries = bars.reduce((sum, bar) => sum + bar.entries, 0)
  const quota = bars.reduce((sum, bar) => sum + bar.quota, 0)
  return (
    <span className="text-muted text-xs tabular-nums">
      {t.chart.rowsCount(formatCount(entries))} · {formatQuota(quota, display, 4)}
    </span>
  )
}

interface HistogramBodyProps extends Pick<LogHistogramProps, 'chart' | 'onWindow'> {
  readonly title: string
  readonly bars: readonly Bar[]
  readonly asTable: boolean
}

function HistogramBody({ title, bars, chart, asTable, onWindow }: HistogramBodyProps) {
  return (
    <>
      {!asTable && (
        <HistogramPlot
          label={title}
          bars={bars}
          valueOf={chart === 'cost' ? ({ quota }) => quota : ({ entries }) => entries}
          onWindow={onWindow}
        />
      )}
      <HistogramTable caption={title} bars={bars} shown={asTable} />
    </>
  )
}

function Placeholder({ children }: { children: ReactNode }) {
  return (
    <div className="grid place-items-center" style={{ height: PLOT_PX }}>
      {children}
    </div>
  )
}

function ChartChoice({ chart, onChart }: Pick<LogHistogramProps, 'chart' | 'onChart'>) {
  const t = useTexts(logTexts)
  return (
    <span role="group" aria-label={t.chart.choice} className="flex gap-0.5">
      {(['rows', 'cost', 'off'] as const).map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={chart === each}
          onClick={() => onChart(each)}
          className={clsx(
            'h-6 rounded px-2 text-xs pointer-coarse:h-9',
            chart === each ? 'bg-accent-soft text-accent font-medium' : 'text-muted hover:bg-hover',
          )}
        >
          {t.chart[each]}
        </button>
      ))}
    </span>
  )
}

interface HistogramTableProps {
  readonly caption: string
  readonly bars: readonly Bar[]
  /** False hides the table from view, but not from screen readers. */
  readonly shown: boolean
}

const NO_BARS: readonly Bar[] = []

function HistogramTable({ caption, bars, shown }: HistogramTableProps) {
  const display = useSystemStatus()
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
              <td className="px-2 py-1.5 text-end">{formatQuota(bar.quota, display, 4)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
