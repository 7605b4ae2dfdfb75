import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { LOG_TYPE } from '../../statuses.ts'

/** The rows to look at; an absent condition matches any. */
export interface LogFilter {
  readonly userId?: number | undefined
  readonly channelId?: number | undefined
  /** Unix seconds, inclusive. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly type?: number | undefined
  readonly model?: string | undefined
  readonly tokenName?: string | undefined
  /** Rows of the user who had this name when they were written; for users who no longer exist. */
  readonly username?: string | undefined
  /** Digest of a session. Its rows are read through their own index: they are few, or `listedSince` tells where to begin. */
  readonly session?: string | undefined
}

/** Unix seconds, inclusive. */
export interface Span {
  readonly from: number
  readonly to: number
}

export const DAY_SECONDS = 86_400
/** Later than every row. */
const END_OF_TIME = 2 ** 40

export function spanOf({ from, to }: LogFilter): Span {
  return { from: from ?? 0, to: to ?? END_OF_TIME }
}

/** True when only time and type are given: an index has every row in that order. */
export function isByTimeOnly(filter: LogFilter): boolean {
  const { userId, username, channelId, model, tokenName, session } = filter
  return [userId, username, channelId, model, tokenName, session].every((condition) => condition === undefined)
}

/** The smallest roll-up that has a column for every condition of the filter and begins with one of them. */
export function rollUpOf(filter: LogFilter): 'log_daily' | 'log_daily_model' | 'log_daily_token' {
  const { userId, username, tokenName } = filter
  if (userId !== undefined || username !== undefined) return 'log_daily'
  return tokenName === undefined ? 'log_daily_model' : 'log_daily_token'
}

/** The conditions of a filter except time and session, on a roll-up or on `log`: the columns have the same names. */
export function conditions(filter: LogFilter): RawBuilder<SqlBool> {
  const { userId, username, channelId, model, tokenName, type } = filter
  const given = [
    userId === undefined ? undefined : sql<SqlBool>`user_id = ${userId}`,
    username === undefined
      ? undefined
      : sql<SqlBool>`user_id in (select user_id from log_username where username = ${username})`,
    tokenName === undefined ? undefined : sql<SqlBool>`token_name = ${tokenName}`,
    channelId === undefined ? undefined : sql<SqlBool>`channel_id = ${channelId}`,
    model === undefined ? undefined : sql<SqlBool>`model_name = ${model}`,
    type === undefined ? undefined : sql<SqlBool>`type = ${type}`,
  ].filter((condition) => condition !== undefined)
  return given.length === 0 ? sql<SqlBool>`1 = 1` : sql.join(given, sql` and `)
}

/**
 * `from` clause for the log rows within a span that a filter finds, read only from the index `log_series` as long as only its
 * columns are requested. The roll-up names the series (user, token, channel, model, type) that had rows on these days, so only
 * matching index entries are read. `cross join` makes SQLite begin with the series.
 */
export function fromSeries(filter: LogFilter, { from, to }: Span): RawBuilder<unknown> {
  if (filter.session !== undefined) {
    // The second condition repeats the index's own, so that the index is used.
    return sql`from log where log.session = ${filter.session} and log.session <> '' and ${conditions(filter)}
      and ${within({ from, to })}`
  }
  const [first, last] = [Math.floor(from / DAY_SECONDS), Math.floor(to / DAY_SECONDS)]
  return sql`from (
      select distinct user_id, token_name, channel_id, model_name, type from log_daily
      where day >= ${first} and day <= ${last} and ${conditions(filter)}
    ) as series cross join log
    where log.user_id = series.user_id and log.token_name = series.token_name and log.channel_id = series.channel_id
      and log.model_name = series.model_name and log.type = series.type and ${within({ from, to })}`
}

/** `from` clause of the log rows within a span, in the order of time, for a filter by time and type only. */
export function fromTime({ type }: LogFilter, span: Span): RawBuilder<unknown> {
  // Rows that are not charges have their own index.
  const isPlain =
    type === undefined || type === LOG_TYPE.consume ? sql`` : sql`and log.type <> ${sql.lit(LOG_TYPE.consume)}`
  const ofType = type === undefined ? sql`` : sql`${isPlain} and log.type = ${type}`
  return sql`from log where ${within(span)} ${ofType}`
}

export function within({ from, to }: Span): RawBuilder<SqlBool> {
  return sql<SqlBool>`log.created_at >= ${from} and log.created_at <= ${to}`
}
