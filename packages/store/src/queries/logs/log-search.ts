import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { asNumber } from '../../aggregates.ts'
import { contains, type Page, startsWith } from '../../paging.ts'
import type { Schema } from '../../schema/schema.ts'
import { LOG_TYPE } from '../../statuses.ts'
import { fromSeries, fromTime, type LogFilter, type Span, spanOf, within } from './log-filter.ts'
import { tallyLogs } from './log-tally.ts'

/**
 * A search reads this many of the newest rows of the user or of everyone, and beyond them this many of the newest rows that are not
 * charges. So no keyword can make it read the whole table (class S7).
 */
const SEARCHED_ROWS = 10_000
const SEARCHED_PLAIN_ROWS = 5_000

/** Ids of one page of the rows that mention a keyword, newest first, and how many there are among those searched. */
export async function searchLogs(
  db: Kysely<Schema>,
  filter: Pick<LogFilter, 'userId' | 'from'>,
  keyword: string,
  page: Page,
): Promise<{ readonly ids: readonly number[]; readonly total: number }> {
  const span = spanOf(filter)
  // The plus keeps SQLite from reading all rows of the user through the index that begins with the user.
  const mine = filter.userId === undefined ? sql`` : sql`and +log.user_id = ${filter.userId}`
  const newest = sql`order by log.created_at desc limit`
  const { rows } = await sql<{ id: number | bigint; created_at: number }>`
    select log.id, log.created_at from log where log.id in (
      select id from (select log.id ${await newestOf(db, filter, span)} ${newest} ${SEARCHED_ROWS}) as newest
      union select id from (
        select log.id from log where log.type <> ${sql.lit(LOG_TYPE.consume)} and ${within(span)} ${mine} ${newest} ${SEARCHED_PLAIN_ROWS}
      ) as plain
      union select id from (${byRequest(keyword)}) as charged
    ) and ${mentions(keyword)} and ${within(span)} ${mine}
    order by log.created_at desc, log.id desc`.execute(db)
  const ids = rows.slice(page.offset, page.offset + page.limit).map(({ id }) => asNumber(id))
  return { ids, total: rows.length }
}

export async function idsOfRequest(db: Kysely<Schema>, requestId: string): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number | bigint }>`${byRequest(requestId)}`.execute(db)
  return rows.map(({ id }) => asNumber(id))
}

/** The newest rows of one user, no further back than the days that together have as many rows as are searched. */
async function newestOf(db: Kysely<Schema>, filter: LogFilter, span: Span): Promise<RawBuilder<unknown>> {
  if (filter.userId === undefined) return fromTime(filter, span)
  const days = (await tallyLogs(db, filter)).toReversed()
  let entries = 0
  const enough = days.find((day) => (entries += day.entries) >= SEARCHED_ROWS) ?? days.at(-1)
  return fromSeries(filter, { from: enough?.from ?? span.from, to: days[0]?.to ?? span.from })
}

/** The rows of a request, however old: its transfer tells when they were written. */
function byRequest(requestId: string): RawBuilder<unknown> {
  return sql`select log.id from transfer cross join log where transfer.request_id = ${requestId}
    and log.created_at >= transfer.at_ms / 1000 - 2 and log.created_at <= transfer.at_ms / 1000 + 2
    and log.request_id = transfer.request_id`
}

function mentions(keyword: string): RawBuilder<SqlBool> {
  const places = [
    contains('content', keyword),
    startsWith('model_name', keyword),
    startsWith('token_name', keyword),
    startsWith('username', keyword),
    sql<SqlBool>`request_id = ${keyword}`,
  ]
  return sql<SqlBool>`(${sql.join(places, sql` or `)})`
}
