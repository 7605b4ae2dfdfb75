import { type RawBuilder, sql } from 'kysely'
import type { Page } from '../paging.ts'
import { fromSeries, fromTime, isByTimeOnly, type LogFilter, type Span } from './log-filter.ts'
import type { LogDay } from './log-tally.ts'

/** Wire names of the sort columns. By `id` and by time are the same order. */
export const LOG_SORT_COLUMNS = {
  id: 'created_at',
  created_at: 'created_at',
  created_time: 'created_at',
  prompt_tokens: 'prompt_tokens',
  completion_tokens: 'completion_tokens',
  quota: 'amount',
  elapsed_time: 'elapsed_ms',
} as const
export type LogSortColumn = (typeof LOG_SORT_COLUMNS)[keyof typeof LOG_SORT_COLUMNS]

/** A query for the ids of one page of log rows. */
export type Choice = RawBuilder<{ readonly id: number | bigint }>

/**
 * A page in the order of time. The days say where it begins, so the last page is as near as the first: undefined behind it.
 */
export function choiceByTime(
  filter: LogFilter,
  days: readonly LogDay[],
  direction: 'asc' | 'desc',
  page: Page,
): Choice | undefined {
  const found = locate(direction === 'asc' ? days : days.toReversed(), page)
  if (found === undefined) return undefined
  const from = isByTimeOnly(filter) ? fromTime(filter, found.span) : fromSeries(filter, found.span)
  const order = sql.raw(direction)
  return sql`select log.id ${from} order by log.created_at ${order}, log.id ${order} limit ${page.limit} offset ${found.skip}`
}

/** The span of the days that hold a page, and how many rows of it come before the page. `days` in the order of the page. */
export function locate(
  days: readonly LogDay[],
  page: Page,
): { readonly span: Span; readonly skip: number } | undefined {
  let before = 0
  let first: { readonly day: LogDay; readonly skip: number } | undefined
  let last: LogDay | undefined
  for (const day of days) {
    if (before >= page.offset + page.limit) break
    if (before + day.entries > page.offset) {
      first ??= { day, skip: page.offset - before }
      last = day
    }
    before += day.entries
  }
  if (first === undefined || last === undefined) return undefined
  const span = { from: Math.min(first.day.from, last.from), to: Math.max(first.day.to, last.to) }
  return { span, skip: first.skip }
}
