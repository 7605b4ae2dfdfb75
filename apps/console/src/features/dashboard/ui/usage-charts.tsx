import { useState } from 'react'
import { useLocale, useTexts } from '../../../lib/i18n/i18n.ts'
import { useSystemStatus } from '../../../lib/status/system-status.ts'
import { LineChart } from '../../../ui/chart/line-chart.tsx'
import type { DayName } from '../../../ui/chart/plot.tsx'
import { StackedBarChart } from '../../../ui/chart/stacked-bar-chart.tsx'
import type { Day } from '../model/days.ts'
import { dayName, metricFormat } from '../model/formats.ts'
import { modelName, tokenName, usageSeries, userName } from '../model/series.ts'
import type { DayTotals } from '../model/summary.ts'
import { type Metric, METRICS, type Usage } from '../model/usage.ts'
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
  const names = days.map((one) => dayName(one, locale))
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
        <Trend key={metric} {...cursor} title={title} unit={unit} metric={metric} totals={totals} />
      ))}
    </section>
  )
}

interface TrendProps extends Cursor {
  readonly title: string
  readonly unit: string
  readonly metric: Metric
  readonly totals: readonly DayTotals[]
}

function Trend({ totals, metric, ...chart }: TrendProps) {
  const display = useSystemStatus()
  const values = totals.map((one) => one[metric])
  return <LineChart {...chart} values={values} format={metricFormat(metric, display, Math.max(0, ...values))} />
}

function Stacks({ usage, days, totals, metric, onMetric, cursor }: UsageChartsProps & { readonly cursor: Cursor }) {
  const t = useTexts(dashboardTexts)
  const display = useSystemStatus()
  const format = metricFormat(metric, display, Math.max(0, ...totals.map((one) => one[metric])))
  const shared = { days, metric, otherName: t.other }
  const common = { ...cursor, unit: t.perDay[metric], format }
  return (
    <>
      <StackedBarChart
        {...common}
        title={t.modelUsage}
        actions={<MetricChoice metric={metric} onMetric={onMetric} />}
        series={usageSeries({ ...shared, rows: usage.logs, nameOf: (row) => modelName(row, t.names) })}
      />
      <div className="grid gap-3 xl:grid-cols-2">
        <StackedBarChart
          {...common}
          title={t.userUsage}
          series={usageSeries({ ...shared, rows: usage.user_logs, nameOf: (row) => userName(row, t.names) })}
        />
        <StackedBarChart
          {...common}
          title={t.tokenUsage}
          series={usageSeries({ ...shared, rows: usage.token_logs, nameOf: (row) => tokenName(row, t.names) })}
        />
      </div>
    </>
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
