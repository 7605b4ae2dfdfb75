import { type Kysely, type RawBuilder, sql } from 'kysely'
import { asBigInt, asNumber } from '../../aggregates.ts'
import type { Schema } from '../../schema/schema.ts'
import { LOG_TYPE } from '../../statuses.ts'
import { DAY_SECONDS, fromSeries, fromTime, type Span } from './log-filter.ts'
import { duringWhole, splitDays, type WholeDays } from './log-tally.ts'

const HOUR = 3_600

export interface ModelSpan {
  /** Unix seconds at which the day or hour begins. */
  readonly start: number
  readonly model: string
  readonly requests: number
  /** Prompt and answer tokens. */
  readonly tokens: number
  /** mq. */
  readonly amount: bigint
}

/**
 * Usage by model within a span, for everyone or one user, oldest first: whole UTC days from the daily sums, the partial days at
 * both ends hour by hour from the log, so the sums are exactly those of the span. At most `most` rows per day or partial day.
 */
export async function modelUsage(
  db: Kysely<Schema>,
  span: Span,
  userId: number | undefined,
  most: number,
): Promise<readonly ModelSpan[]> {
  const { whole, parts } = splitDays(span)
  const read = await Promise.all([
    ...(whole === undefined ? [] : [wholeDays(db, whole, userId, most)]),
    ...parts.map((part) => hours(db, part, userId, most)),
  ])
  return read.flat().toSorted((a, b) => a.start - b.start)
}

type Aggregate = number | bigint | string | null

interface Sums {
  readonly unit: Aggregate
  readonly model: string
  readonly requests: Aggregate
  readonly tokens: Aggregate
  readonly amount: Aggregate
}

async function wholeDays(db: Kysely<Schema>, whole: WholeDays, userId: number | undefined, most: number) {
  const from = userId === undefined ? sql`usage_daily_model where 1 = 1` : sql`usage_daily where user_id = ${userId}`
  const query = sql<Sums>`
    select day as unit, model, sum(requests) as requests, sum(prompt_tokens) + sum(completion_tokens) as tokens,
      sum(amount) as amount
    from ${from} and ${duringWhole(whole)} group by day, model order by day, model limit ${most}`
  return await rowsOf(db, query, DAY_SECONDS)
}

async function hours(db: Kysely<Schema>, part: Span, userId: number | undefined, most: number) {
  const charged = { type: LOG_TYPE.consume }
  const from = userId === undefined ? fromTime(charged, part) : fromSeries({ ...charged, userId }, part)
  const query = sql<Sums>`
    select floor(log.created_at / ${HOUR}) as unit, log.model_name as model, count(*) as requests,
      sum(log.prompt_tokens) + sum(log.completion_tokens) as tokens, sum(log.amount) as amount
    ${from} group by 1, 2 order by 1, 2 limit ${most}`
  return await rowsOf(db, query, HOUR)
}

async function rowsOf(db: Kysely<Schema>, query: RawBuilder<Sums>, seconds: number): Promise<ModelSpan[]> {
  const { rows } = await query.execute(db)
  return rows.map(({ unit, model, requests, tokens, amount }) => ({
    start: asNumber(unit) * seconds,
    model,
    requests: asNumber(requests),
    tokens: asNumber(tokens),
    amount: asBigInt(amount),
  }))
}
