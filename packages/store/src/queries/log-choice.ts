import { type RawBuilder, sql } from 'kysely'
import type { Page, Sorting } from '../paging.ts'
import {
  END_OF_TIME,
  fromSeries,
  fromTime,
  isByTimeOnly,
  type LogFilter,
  type Span,
  spanOf,
  within,
} from './log-filter.ts'
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
type ValueColumn = Exclude<LogSortColumn, 'created_at'>

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

/** A page in the order of a value; newest first where values are equal. */
export function choiceByValue(filter: LogFilter, { column, direction }: Sorting<ValueColumn>, page: Page): Choice {
  const span = spanOf(filter)
  const value = sql.ref(`log.${column}`)
  const candidates = isByTimeOnly(filter)
    ? extremeRows(filter, span, { column, direction }, page.offset + page.limit)
    : sql`select log.id, log.created_at, ${value} as value ${fromSeries(filter, span)}`
  return sql`select id from (${candidates}) as candidate
    order by value ${sql.raw(direction)}, created_at desc, id desc limit ${page.limit} offset ${page.offset}`
}

const ZONE_SECONDS = 600
const EXTREME = {
  amount: 'amount',
  prompt_tokens: 'prompt',
  completion_tokens: 'completion',
  elapsed_ms: 'elapsed',
} as const

/**
 * Rows among which are the first `count` of a span by a value. Of the charges they are in the `count` zones with the most
 * extreme values (the newest of equals), because each of these has one row that comes before every row of all other zones.
 * Zones that lie partly outside are always read, and so are the few rows that are no charges. The plus before `type` keeps
 * SQLite from making itself an index by type.
 */
function extremeRows(
  { type }: LogFilter,
  span: Span,
  { column, direction }: Sorting<ValueColumn>,
  count: number,
): RawBuilder<unknown> {
  const value = sql`log.id, log.created_at, ${sql.ref(`log.${column}`)} as value`
  const ofType = type === undefined ? sql`` : sql`and type = ${type}`
  const plain = sql`select ${value} from log where type <> 2 ${ofType} and ${within(span)}`
  if (type !== undefined && type !== 2) return plain
  const first = Math.ceil(span.from / ZONE_SECONDS)
  const last = Math.floor((span.to + 1) / ZONE_SECONDS) - 1
  const extreme = sql.ref(`${direction === 'desc' ? 'most' : 'least'}_${EXTREME[column]}`)
  const edges =
    last < first
      ? [span]
      : [
          { from: span.from, to: first * ZONE_SECONDS - 1 },
          { from: (last + 1) * ZONE_SECONDS, to: Math.min(span.to, END_OF_TIME) },
        ]
  const charges = [
    sql`select ${value} from (
        select zone from log_zone where zone >= ${first} and zone <= ${last}
        order by ${extreme} ${sql.raw(direction)}, zone desc limit ${count}
      ) as chosen cross join log
      where log.created_at >= chosen.zone * 600.0 and log.created_at < chosen.zone * 600.0 + 600 and +log.type = 2`,
    ...edges.map((edge) => sql`select ${value} from log where ${within(edge)} and +log.type = 2`),
  ]
  return sql.join(type === 2 ? charges : [...charges, plain], sql` union all `)
}
