import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { asBigInt, asNumber } from '../../aggregates.ts'
import type { Schema } from '../../schema/schema.ts'
import { LOG_TYPE } from '../../statuses.ts'
import {
  conditions,
  DAY_SECONDS,
  fromSeries,
  fromTime,
  isByTimeOnly,
  type LogFilter,
  rollUpOf,
  type Span,
  spanOf,
} from './log-filter.ts'

/** Rows that a filter finds on one day, for the part of the day that is within the filter's time. */
export interface LogDay extends Span {
  readonly entries: number
  /** mq charged by them. */
  readonly amount: bigint
}

type Aggregate = number | bigint | string | null

/**
 * Counts and sums the rows that a filter finds, day by day, oldest first, without empty days. Whole days come from a roll-up, the
 * parts of days at both ends from the rows themselves: exact, and as fast for a year as for a week.
 */
export async function tallyLogs(db: Kysely<Schema>, filter: LogFilter): Promise<readonly LogDay[]> {
  if (filter.session !== undefined) return await daysOfSession(db, filter)
  const { whole, parts } = splitDays(filter)
  const [days, ...edges] = await Promise.all([
    whole === undefined ? [] : wholeDays(db, filter, whole),
    ...parts.map((part) => partOfDay(db, filter, part)),
  ])
  return [...days, ...edges].filter(({ entries }) => entries > 0).toSorted((a, b) => a.from - b.from)
}

export function totalOf(days: readonly LogDay[]): number {
  return days.reduce((total, { entries }) => total + entries, 0)
}

export function amountOf(days: readonly LogDay[]): bigint {
  return days.reduce((total, { amount }) => total + amount, 0n)
}

export interface WholeDays {
  readonly first: number | undefined
  readonly last: number | undefined
}

/** The whole days within the filter's time, and the remainders at both ends. */
export function splitDays(filter: LogFilter): {
  readonly whole: WholeDays | undefined
  readonly parts: readonly Span[]
} {
  const { from, to } = filter
  // No roll-up knows sessions.
  if (filter.session !== undefined) return { whole: undefined, parts: [spanOf(filter)] }
  if (from !== undefined && to !== undefined && from > to) return { whole: undefined, parts: [] }
  const first = from === undefined ? undefined : Math.ceil(from / DAY_SECONDS)
  const last = to === undefined ? undefined : Math.floor((to + 1) / DAY_SECONDS) - 1
  if (from !== undefined && to !== undefined && first !== undefined && last !== undefined && last < first - 1) {
    return { whole: undefined, parts: [{ from, to }] }
  }
  const parts: Span[] = []
  if (from !== undefined && first !== undefined && from < first * DAY_SECONDS) {
    parts.push({ from, to: first * DAY_SECONDS - 1 })
  }
  if (to !== undefined && last !== undefined && to >= (last + 1) * DAY_SECONDS) {
    parts.push({ from: (last + 1) * DAY_SECONDS, to })
  }
  return { whole: { first, last }, parts }
}

/** On a roll-up. */
export function duringWhole({ first, last }: WholeDays): RawBuilder<SqlBool> {
  const since = first === undefined ? undefined : sql<SqlBool>`day >= ${first}`
  const until = last === undefined ? undefined : sql<SqlBool>`day <= ${last}`
  const given = [since, until].filter((condition) => condition !== undefined)
  return given.length === 0 ? sql<SqlBool>`1 = 1` : sql.join(given, sql` and `)
}

async function daysOfSession(db: Kysely<Schema>, filter: LogFilter): Promise<LogDay[]> {
  const { rows } = await sql<{ day: number | bigint; entries: Aggregate; amount: Aggregate }>`
    select floor(log.created_at / ${DAY_SECONDS}) as day, ${SUMS} ${fromSeries(filter, spanOf(filter))} group by 1 order by 1`.execute(
    db,
  )
  const { from, to } = spanOf(filter)
  return rows.map(({ day, entries, amount }) => {
    const whole = dayOf(asNumber(day), entries, amount)
    return { ...whole, from: Math.max(from, whole.from), to: Math.min(to, whole.to) }
  })
}

function dayOf(day: number, entries: Aggregate, amount: Aggregate): LogDay {
  const from = day * DAY_SECONDS
  return { from, to: from + DAY_SECONDS - 1, entries: asNumber(entries), amount: asBigInt(amount) }
}

const SUMS = sql`count(*) as entries, sum(case log.type when ${sql.lit(LOG_TYPE.consume)} then log.amount else 0 end) as amount`

async function wholeDays(db: Kysely<Schema>, filter: LogFilter, whole: WholeDays): Promise<LogDay[]> {
  const { rows } = await sql<{ day: number; entries: Aggregate; amount: Aggregate }>`
    select day, sum(entries) as entries, sum(amount) as amount from ${sql.table(rollUpOf(filter))}
    where ${conditions(filter)} and ${duringWhole(whole)} group by day`.execute(db)
  return rows.map(({ day, entries, amount }) => dayOf(day, entries, amount))
}

async function partOfDay(db: Kysely<Schema>, filter: LogFilter, part: Span): Promise<LogDay> {
  const from = isByTimeOnly(filter) ? fromTime(filter, part) : fromSeries(filter, part)
  const { rows } = await sql<{ entries: Aggregate; amount: Aggregate }>`select ${SUMS} ${from}`.execute(db)
  return { ...part, entries: asNumber(rows[0]?.entries ?? 0), amount: asBigInt(rows[0]?.amount ?? 0) }
}
