import { type Kysely, type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely'
import { asNumber } from '../../aggregates.ts'
import type { UsageSessionTable } from '../../schema/roll-ups.ts'
import type { Schema } from '../../schema/schema.ts'
import { conditions, type LogFilter, spanOf } from './log-filter.ts'

/** A session with its user's current name, which is empty when the user no longer exists. */
export type UsageSessionRow = Selectable<UsageSessionTable> & { readonly username: string }

/** The sessions to look at; times are those of the last call, unix seconds, inclusive. */
export type SessionFilter = Pick<LogFilter, 'userId' | 'username' | 'tokenName' | 'from' | 'to' | 'session'>

/** Sort orders of sessions. Equal values are ordered by the latest call; the two directions are exact reverses of each other. */
export type SessionSort = 'last' | 'cost' | 'duration'

/** The end of a page: its last session and the value by which that was ordered. */
export interface SessionPlace {
  /** mq or seconds; when ordered by time, the time of the last call. */
  readonly value: bigint
  readonly lastAt: number
  readonly tokenId: number
  readonly session: string
}

export interface SessionPage {
  readonly rows: readonly UsageSessionRow[]
  /** Undefined on the last page. */
  readonly next: SessionPlace | undefined
  /** How many of the latest sessions were ordered; absent if all were. */
  readonly among?: number
}

export interface SessionOrder {
  readonly sort: SessionSort
  readonly direction: 'asc' | 'desc'
  readonly after: SessionPlace | undefined
  readonly limit: number
}

/** Most of the latest sessions that are ordered by cost or duration; their index contains these values. */
const SORTED_SESSIONS_MAX = 100_000

const VALUES: Readonly<Record<SessionSort, RawBuilder<number | bigint>>> = {
  last: sql`last_at`,
  cost: sql`amount`,
  duration: sql`last_at - first_at`,
}

/** One page of the sessions that a filter finds. Every page is as fast as the first. */
export async function listSessions(
  db: Kysely<Schema>,
  filter: SessionFilter,
  order: SessionOrder,
  sortedMax = SORTED_SESSIONS_MAX,
): Promise<SessionPage> {
  const { sort, limit } = order
  const isByTime = sort === 'last'
  const found = sql`select token_id, session, last_at, ${VALUES[sort]} as value from usage_session where ${matches(isByTime ? fromPlace(filter, order) : filter)}`
  const ordered = isByTime ? found : sql`${found} order by last_at desc limit ${sortedMax}`
  const [chosen, among] = await Promise.all([
    choose(db, ordered, order),
    isByTime ? undefined : countTo(db, found, sortedMax + 1),
  ])
  const shown = chosen.slice(0, limit)
  const last = chosen.length > limit ? shown.at(-1) : undefined
  return {
    rows: await readSessions(db, shown),
    next: last && { value: BigInt(last.value), lastAt: last.last_at, tokenId: last.token_id, session: last.session },
    ...(among !== undefined && among > sortedMax && { among: sortedMax }),
  }
}

/** Narrows the filter to where a later page begins, so that the index is entered there. */
function fromPlace(filter: SessionFilter, { direction, after }: SessionOrder): SessionFilter {
  if (after === undefined) return filter
  const { from, to } = spanOf(filter)
  return direction === 'asc'
    ? { ...filter, from: Math.max(from, after.lastAt) }
    : { ...filter, to: Math.min(to, after.lastAt) }
}

interface Chosen {
  readonly token_id: number
  readonly session: string
  readonly last_at: number
  readonly value: number | bigint
}

/** Chooses one more session than the page holds, to tell whether another page follows. */
async function choose(
  db: Kysely<Schema>,
  ordered: RawBuilder<unknown>,
  { direction, after, limit }: SessionOrder,
): Promise<readonly Chosen[]> {
  const way = sql.raw(direction)
  const sign = sql.raw(direction === 'asc' ? '>' : '<')
  const beyond =
    after === undefined
      ? sql<SqlBool>`1 = 1`
      : sql<SqlBool>`(value, last_at, token_id, session) ${sign} (${after.value}, ${after.lastAt}, ${after.tokenId}, ${after.session})`
  const { rows } = await sql<Chosen>`select token_id, session, last_at, value from (${ordered}) as found where ${beyond}
    order by value ${way}, last_at ${way}, token_id ${way}, session ${way} limit ${limit + 1}`.execute(db)
  return rows
}

async function countTo(db: Kysely<Schema>, found: RawBuilder<unknown>, limit: number): Promise<number> {
  const { rows } = await sql<{ readonly found: number | bigint }>`
    select count(*) as found from (${found} limit ${limit}) as counted`.execute(db)
  return asNumber(rows[0]?.found ?? 0)
}

/** In the order of the keys. */
async function readSessions(db: Kysely<Schema>, keys: readonly Chosen[]): Promise<readonly UsageSessionRow[]> {
  if (keys.length === 0) return []
  const wanted = sql.join(keys.map(({ token_id, session }) => sql`(${token_id}, ${session})`))
  const { rows } = await sql<UsageSessionRow>`select usage_session.*, coalesce("user".username, '') as username
    from usage_session left join "user" on "user".id = usage_session.user_id
    where (usage_session.token_id, usage_session.session) in (${wanted})`.execute(db)
  const byKey = new Map(rows.map((row) => [`${row.token_id} ${row.session}`, row]))
  return keys.flatMap(({ token_id, session }) => byKey.get(`${token_id} ${session}`) ?? [])
}

function matches(filter: SessionFilter): RawBuilder<SqlBool> {
  const { from, to } = spanOf(filter)
  const { session, ...others } = filter
  // The key begins with the token, which the session's calls have.
  const named =
    session === undefined
      ? sql<SqlBool>`1 = 1`
      : sql<SqlBool>`session = ${session} and token_id in (
          select token_id from log where log.session = ${session} and log.session <> '' limit 1)`
  return sql<SqlBool>`${conditions(others)} and last_at >= ${from} and last_at <= ${to} and ${named}`
}

/** How many of a session's newest calls are listed and added up as log rows. */
const LISTED_CALLS_MAX = 100_000

/** Unix second from which a session's calls are listed; undefined if all are. */
export async function listedSince(
  db: Kysely<Schema>,
  session: string,
  most = LISTED_CALLS_MAX,
): Promise<number | undefined> {
  const { rows } = await sql<{ readonly created_at: number }>`
    select created_at from log where session = ${session} and session <> '' order by created_at desc limit 1 offset ${most}`.execute(
    db,
  )
  return rows[0] === undefined ? undefined : rows[0].created_at + 1
}
