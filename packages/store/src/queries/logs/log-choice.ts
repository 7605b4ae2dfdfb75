import { type Kysely, sql } from 'kysely'
import type { Page, Sorting } from '../../paging.ts'
import type { Schema } from '../../schema/schema.ts'
import { fromSeries, fromTime, isByTimeOnly, type LogFilter, type Span } from './log-filter.ts'
import type { LogDay } from './log-tally.ts'

/** Columns in which many rows share a value; the roll-ups tell how many. */
const KEY_SORTS = {
  type: 'type',
  model_name: 'model_name',
  token_name: 'token_name',
  username: 'user_id',
  channel: 'channel_id',
} as const
/** Columns in which nearly every row has a different number. */
const VALUE_SORTS = {
  prompt_tokens: 'prompt_tokens',
  completion_tokens: 'completion_tokens',
  quota: 'amount',
  elapsed_time: 'elapsed_ms',
} as const

/** Wire names of the sort columns. `id` and time give the same order. */
export const LOG_SORT_COLUMNS = {
  id: 'created_at',
  created_at: 'created_at',
  created_time: 'created_at',
  ...KEY_SORTS,
  ...VALUE_SORTS,
} as const
export type LogSortColumn = (typeof LOG_SORT_COLUMNS)[keyof typeof LOG_SORT_COLUMNS]
export type KeySort = Sorting<(typeof KEY_SORTS)[keyof typeof KEY_SORTS]>
export type ValueSort = Sorting<(typeof VALUE_SORTS)[keyof typeof VALUE_SORTS]>

const keyColumns: readonly string[] = Object.values(KEY_SORTS)
export function isByKey(sorting: Sorting<LogSortColumn>): sorting is KeySort {
  return keyColumns.includes(sorting.column)
}
const valueColumns: readonly string[] = Object.values(VALUE_SORTS)
export function isByValue(sorting: Sorting<LogSortColumn>): sorting is ValueSort {
  return valueColumns.includes(sorting.column)
}

export interface ChosenRow {
  readonly id: number | bigint
  readonly created_at: number
}

/** A page in time order. The sums by day tell where it begins, so the last page is found as fast as the first. */
export async function chosenByTime(
  db: Kysely<Schema>,
  filter: LogFilter,
  days: readonly LogDay[],
  direction: 'asc' | 'desc',
  page: Page,
): Promise<readonly ChosenRow[]> {
  const found = locate(direction === 'asc' ? days : days.toReversed(), page)
  if (found === undefined) return []
  const from = isByTimeOnly(filter) ? fromTime(filter, found.span) : fromSeries(filter, found.span)
  const order = sql.raw(direction)
  const { rows } = await sql<ChosenRow>`select log.id, log.created_at ${from}
    order by log.created_at ${order}, log.id ${order} limit ${page.limit} offset ${found.skip}`.execute(db)
  return rows
}

/** The span of days that contain a page, and how many rows in it come before the page. `days` are in the order of the page. */
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
