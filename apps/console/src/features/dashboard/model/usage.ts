import type { dashboard } from '@sluice/contract/dashboard'
import type { InferOutput } from 'valibot'
import { pointsOf } from '~/lib/format/quota.ts'
import type { Metric } from './metric.ts'
import type { DateRange } from './range.ts'

type Dashboard = InferOutput<typeof dashboard>

/** Usage by day, as the charts and figures need it. */
export type Usage = Pick<Dashboard, 'logs' | 'user_logs' | 'token_logs'>
/** Usage with the days it was requested for: while a newer reply is on its way, the old one is drawn over its own days. */
export interface RangeUsage extends Usage {
  readonly range: DateRange
}

export type ModelDay = Usage['logs'][number]
export type UserDay = Usage['user_logs'][number]
export type TokenDay = Usage['token_logs'][number]

/** The counts that every row carries, whatever it is grouped by. */
export type UsageRow = Pick<
  ModelDay,
  'Day' | 'RequestCount' | 'Quota' | 'QuotaExact' | 'PromptTokens' | 'CompletionTokens'
>

export function measure(row: UsageRow, metric: Metric): number {
  if (metric === 'requests') return row.RequestCount
  return metric === 'expenses' ? pointsOf(row.Quota, row.QuotaExact) : row.PromptTokens + row.CompletionTokens
}
