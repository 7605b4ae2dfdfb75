import { useNavigate, Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useLocale, useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import type { ValueFormat } from '~/ui/chart/chart-series.ts'
import { LineChart } from '~/ui/chart/line-chart.tsx'
import { StackedBarChart } from '~/ui/chart/stacked-bar-chart.tsx'
import { ChevronRightIcon } from '~/ui/icons.tsx'
import { SEGMENT, SEGMENTS } from '~/ui/segments.ts'
import { dayNames, metricFormat, type DayName } from '../model/formats.ts'
import { type LogFilter, logsOfDay, logsOf, modelFilter, tokenFilter, userFilter } from '../model/logs-of.ts'
import type { Day } from '../model/range.ts'
import { type Metric, METRICS } from '../model/search.ts'
import { foldedSeries, isFoldable, namedCount, usageSeries } from '../model/series.ts'
import type { DayTotals } from '../model/summary.ts'
import { type Usage, type UsageRow, modelName, type NameFallbacks, tokenName, userName } from '../model/usage.ts'
import { dashboardTexts } from '../texts/dashboard-texts.ts'

interface ChartCursor {
  readonly days: readonly DayName[]
  readonly day: number | undefined
  readonly onDay: (day: number | undefined) => void
}

export function UsageCharts(props: Omit<UsageStacksProps, 'cursor'>) {
  const { days, totals, scope } = props
  const locale = useLocale()
  const [day, setDay] = useState<number>()
  const names = dayNames(days, locale)
  const cursor = { days: names, day: day !== undefined && day < days.length ? day : undefined, onDay: setDay }
  return (
    <>
      <Trends totals={totals} scope={scope} cursor={cursor} />
      <UsageStacks {...props} cursor={cursor} />
    </>
  )
}

interface TrendsProps {
  readonly totals: readonly DayTotals[]
  readonly scope: LogFilter
  readonly cursor: ChartCursor
}

function Trends({ totals, scope, cursor }: TrendsProps) {
  const t = useTexts(dashboardTexts)
  const lines = [
    { title: t.requests, unit: t.perDay.requests, metric: 'requests' },
    { title: t.quota, unit: t.quotaPerDay, metric: 'expenses' },
    { title: t.tokens, unit: t.perDay.tokens, metric: 'tokens' },
  ] as const
  return (
    <section aria-label={t.trends} className="grid gap-3 lg:grid-cols-3">
      {lines.map(({ title, unit, metric }) => (
        <Trend key={metric} title={title} unit={unit} metric={metric} totals={totals} scope={scope} cursor={cursor} />
      ))}
    </section>
  )
}

interface TrendProps extends TrendsProps {
  readonly title: string
  readonly unit: string
  readonly metric: Metric
}

function Trend({ title, unit, totals, metric, scope, cursor }: TrendProps) {
  const display = useSystemStatus()
  const navigate = useNavigate()
  const values = totals.map((one) => one[metric])
  const format = metricFormat(metric, display, Math.max(0, ...values))
  const open = (index: number) => {
    const day = totals[index]?.day
    if (day !== undefined) void navigate({ to: '/logs', search: logsOfDay(day, scope) })
  }
  return (
    <LineChart
      title={title}
      unit={unit}
      days={cursor.days}
      values={values}
      format={format}
      day={cursor.day}
      onDay={cursor.onDay}
      onOpen={open}
    />
  )
}

interface UsageStacksProps {
  readonly usage: Usage
  readonly days: readonly Day[]
  readonly totals: readonly DayTotals[]
  /** Whose logs the charts link to. */
  readonly scope: LogFilter
  readonly metric: Metric
  readonly onMetric: (metric: Metric) => void
  readonly cursor: ChartCursor
}

function UsageStacks({ usage, days, totals, scope, metric, onMetric, cursor }: UsageStacksProps) {
  const t = useTexts(dashboardTexts)
  const display = useSystemStatus()
  const largest = Math.max(0, ...totals.map((one) => one[metric]))
  const format = metricFormat(metric, display, largest)
  const parts = { days, scope, metric, format, cursor }
  return (
    <>
      <UsageStack
        {...parts}
        title={t.modelUsage}
        actions={<MetricChoice metric={metric} onMetric={onMetric} />}
        rows={usage.logs}
        nameOf={modelName}
        filterOf={modelFilter}
      />
      <div className="grid gap-3 xl:grid-cols-2">
        <UsageStack {...parts} title={t.userUsage} rows={usage.user_logs} nameOf={userName} filterOf={userFilter} />
        <UsageStack {...parts} title={t.tokenUsage} rows={usage.token_logs} nameOf={tokenName} filterOf={tokenFilter} />
      </div>
    </>
  )
}

interface UsageStackProps<Row> {
  readonly title: string
  readonly actions?: ReactNode
  readonly rows: readonly Row[]
  readonly nameOf: (row: Row, fallbacks: NameFallbacks) => string | undefined
  readonly filterOf: (row: Row) => LogFilter | undefined
  readonly days: readonly Day[]
  readonly scope: LogFilter
  readonly metric: Metric
  readonly format: ValueFormat
  readonly cursor: ChartCursor
}

/** One stack. The cursor moves often and the series are costly to compute, so neither may depend on the other here. */
function UsageStack<Row extends UsageRow>(props: UsageStackProps<Row>) {
  const t = useTexts(dashboardTexts)
  const navigate = useNavigate()
  const { rows, nameOf, filterOf, days, scope, metric, cursor } = props
  const { names, other } = t
  const [unfolded, setUnfolded] = useState(false)
  const all = usageSeries({ rows, days, metric, nameOf: (row) => nameOf(row, names), filterOf, otherName: other })
  const series = unfolded ? all : foldedSeries(all, other)
  const filterOfKey = (key: string | undefined) => series.find((one) => one.key === key)?.filter
  const open = (index: number, key: string | undefined) => {
    const day = days[index]
    if (day !== undefined) void navigate({ to: '/logs', search: logsOfDay(day, { ...scope, ...filterOfKey(key) }) })
  }
  const linkOf = (key: string) => {
    const filter = filterOfKey(key)
    const [from, to] = [days[0], days.at(-1)]
    if (filter === undefined || from === undefined || to === undefined) return null
    return <LogsLink name={key} search={logsOf({ from, to }, { ...scope, ...filter })} />
  }
  return (
    <StackedBarChart
      title={props.title}
      unit={t.perDay[metric]}
      actions={props.actions}
      days={cursor.days}
      series={series}
      format={props.format}
      day={cursor.day}
      onDay={cursor.onDay}
      onOpen={open}
      linkOf={linkOf}
      fold={isFoldable(all) ? { unfolded, count: namedCount(all), onToggle: () => setUnfolded(!unfolded) } : undefined}
    />
  )
}

function LogsLink({ name, search }: { name: string; search: ReturnType<typeof logsOf> }) {
  const t = useTexts(dashboardTexts)
  return (
    <Link
      to="/logs"
      search={search}
      aria-label={t.showLogs(name)}
      data-tip={t.showLogs(name)}
      className="text-muted hover:bg-hover hover:text-ink flex size-6 shrink-0 items-center justify-center rounded pointer-coarse:size-11"
    >
      <ChevronRightIcon />
    </Link>
  )
}

interface MetricChoiceProps {
  readonly metric: Metric
  readonly onMetric: (metric: Metric) => void
}

function MetricChoice({ metric, onMetric }: MetricChoiceProps) {
  const t = useTexts(dashboardTexts)
  return (
    <fieldset className={SEGMENTS}>
      <legend className="sr-only">{t.metric}</legend>
      {METRICS.map((one) => (
        <label key={one} className={SEGMENT}>
          <input
            type="radio"
            name="metric"
            value={one}
            checked={metric === one}
            onChange={() => onMetric(one)}
            className="sr-only"
          />
          {t.metrics[one]}
        </label>
      ))}
    </fieldset>
  )
}
