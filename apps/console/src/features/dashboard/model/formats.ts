import {
  abbreviateCount,
  type CurrencyDecimals,
  formatCount,
  formatQuota,
  type QuotaDisplay,
} from '~/lib/format/quota.ts'
import type { ValueFormat } from '~/ui/chart/chart-series.ts'
import { type Day, startOfDay } from './range.ts'
import type { Metric } from './search.ts'

/** `max` is the largest value of the metric. Money has six decimals in tooltips. */
export function metricFormat(metric: Metric, display: QuotaDisplay, max: number): ValueFormat {
  if (metric === 'expenses') {
    const decimals = axisDecimals(max, display)
    return {
      axis: (quota) => formatQuota(quota, display, decimals),
      exact: (quota) => formatQuota(quota, display, 6),
      fractions: true,
    }
  }
  return { axis: abbreviateCount, exact: formatCount, fractions: false }
}

/** As few decimals as needed to tell the lines of the axis apart. */
export function axisDecimals(max: number, display: QuotaDisplay): CurrencyDecimals {
  const amount = display.quota_per_unit > 0 ? max / display.quota_per_unit : 0
  if (amount >= 0.05 || amount === 0) return 2
  return amount >= 0.000_5 ? 4 : 6
}

/** A UTC day, short and in full: `Nov 14` and `Saturday, November 14, 2026`. */
export interface DayName {
  readonly iso: Day
  readonly short: string
  readonly long: string
}

/** In the visitor's language. Formatters are slow to create, so all days share them. */
export function dayNames(days: readonly Day[], locale: string): readonly DayName[] {
  const short = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', month: 'short', day: 'numeric' })
  const long = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'full' })
  return days.map((day) => {
    const at = startOfDay(day)
    return { iso: day, short: short.format(at), long: long.format(at) }
  })
}

/** `14:05:09` in the browser's zone. Takes unix milliseconds. */
export function clockTime(unixMs: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).format(unixMs)
}

const PERCENT = new Intl.NumberFormat('en-US', {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
})

/** `+12.5%`, `-3%`, `0%`. Takes the change as a fraction of the old value. */
export function formatChange(change: number): string {
  return PERCENT.format(change)
}
