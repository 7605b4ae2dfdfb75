import { type ReactNode, useState } from 'react'
import { useLocale, useTexts } from '../../../lib/i18n/i18n.ts'
import { useSystemStatus } from '../../../lib/status/system-status.ts'
import { LineChart } from '../../../ui/chart/line-chart.tsx'
import type { DayName } from '../../../ui/chart/plot.tsx'
import type { ValueFormat } from '../../../ui/chart/series.ts'
import { StackedBarChart } from '../../../ui/chart/stacked-bar-chart.tsx'
import type { Day } from '../model/days.ts'
import { dayNames, metricFormat } from '../model/formats.ts'
import { modelName, type NameFallbacks, tokenName, usageSeries, userName } from '../model/series.ts'
import type { DayTotals } from '../model/summary.ts'
import { type Metric, METRICS, type Usage, type UsageRow } from '../model/usage.ts'
import { dashboardTexts } from '../texts/dashboard-texts.ts'
import { SEGMENT, SEGMENTS } from './segments.ts'

interface UsageChartsProps {
  readonly usage: Usage
  readonly days: readonly Day[]
  readonly totals: readonly DayTotals[]
  readonly metric: Metric
  readonly onMetric: (metric: Metric) => void
}

/** Three lines and three stacks over the same days; the day that is looked at is marked in all of them. */
export function UsageCharts({ usage, days, totals, metric, onMetric }: UsageChartsProps) {
  const locale = useLocale()
  const [day, setDay] = useState<number>()
  const names = dayNames(days, locale)
  const cursor = { days: names, day: day !== undefined && day < days.length ? day : undefined, onDay: setDay }
  return (
    <>
      <Trends totals={totals} cursor={cursor} />
      <Stacks usage={usage} days={days} totals={totals} metric={metric} onMetric={onMetric} cursor={cursor} />
    </>
  )
}

interface Cursor {
  readonly days: readonly DayName[]
  readonly day: number | undefined
  readonly onDay: (day: number | undefined) => void
}

function Trends({ totals, cursor }: { totals: readonly DayTotals[]; cursor: Cursor }) {
  const t = useTexts(dashboardTexts)
  const lines = [
    { title: t.requests, unit: t.perDay.requests, metric: 'requests' },
    { title: t.quota, unit: t.quotaPerDay, metric: 'expenses' },
    { title: t.tokens, unit: t.perDay.tokens, metric: 'tokens' },
  ] as const
  return (
    <section aria-label={t.trends} className="grid gap-3 lg:grid-cols-3">
      {lines.map(({ title, unit, metric }) => (
        <Trend key={metric} title={title} unit={unit} metric={metric} totals={totals} cursor={cursor} />
      ))}
    </section>
  )
}

interface TrendProps {
  readonly title: string
  readonly unit: string
  readonly metric: Metric
  readonly totals: readonly DayTotals[]
  readonly cursor: Cursor
}

function Trend({ title, unit, totals, metric, cursor }: TrendProps) {
  const display = useSystemStatus()
  const values = totals.map((one) => one[metric])
  const format = metricFormat(metric, display, Math.max(0, ...values))
  return (
    <LineChart
      title={title}
      unit={unit}
      days={cursor.days}
      values={values}
      format={format}
      day={cursor.day}
      onDay={cursor.onDay}
    />
  )
}

interface StacksProps {
  readonly usage: Usage
  readonly days: readonly Day[]
  readonly totals: readonly DayTotals[]
  readonly metric: Metric
  readonly onMetric: (metric: Metric) => void
  readonly cursor: Cursor
}

function Stacks({ usage, days, totals, metric, onMetric, cursor }: StacksProps) {
  const t = useTexts(dashboardTexts)
  const display = useSystemStatus()
  const largest = Math.max(0, ...totals.map((one) => one[metric]))
  const format = metricFormat(metric, display, largest)
  const parts = { days, metric, format, cursor }
  return (
    <>
      <UsageStack
        {...parts}
        title={t.modelUsage}
        actions={<MetricChoice metric={metric} onMetric={onMetric} />}
        rows={usage.logs}
        nameOf={modelName}
      />
      <div className="grid gap-3 xl:grid-cols-2">
        <UsageStack {...parts} title={t.userUsage} rows={usage.user_logs} nameOf={userName} />
        <UsageStack {...parts} title={t.tokenUsage} rows={usage.token_logs} nameOf={tokenName} />
      </div>
    </>
  )
}

interface UsageStackProps<Row> {
  readonly title: string
  readonly actions?: ReactNode
  readonly rows: readonly Row[]
  readonly nameOf: (row: Row, fallbacks: NameFallbacks) => string | undefined
  readonly days: readonly Day[]
  readonly metric: Metric
  readonly format: ValueFormat
  readonly cursor: Cursor
}

/** One stack. The cursor moves often and the series are costly, so nothing here may tie the two together. */
function UsageStack<Row extends UsageRow>(props: UsageStackProps<Row>) {
  const t = useTexts(dashboardTexts)
  const { rows, nameOf, days, metric, cursor } = props
  const { names, other } = t
  const series = usageSeries({ rows, days, metric, nameOf: (row) => nameOf(row, names), otherName: other })
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
    />
  )
}

interface MetricChoiceProps {
  readonly metric: Metric
  readonly onMetric: (metric: Metric) => void
}

/** Set here, in force for all three stacks. */
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
