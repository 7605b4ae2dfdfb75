import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useLocale, useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { LineChart } from '~/ui/chart/line-chart.tsx'
import { dayNames, metricFormat } from '../model/formats.ts'
import { type LogFilter, logsOfDay } from '../model/logs-of.ts'
import type { Metric } from '../model/metric.ts'
import type { DayTotals } from '../model/summary.ts'
import { dashboardTexts } from '../texts/dashboard-texts.ts'
import type { ChartCursor } from './chart-cursor.ts'
import { UsageStacks, type UsageStacksProps } from './usage-stacks.tsx'

/** Three lines and three stacks over the same days; the day under the cursor is marked in all of them. */
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
