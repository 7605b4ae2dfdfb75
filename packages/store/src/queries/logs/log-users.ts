import { type Kysely, type RawBuilder, sql } from 'kysely'
import { asNumber } from '../../aggregates.ts'
import { byBytes, type Page } from '../../paging.ts'
import type { Schema } from '../../schema/schema.ts'
import { conditions, fromSeries, type LogFilter } from './log-filter.ts'
import { duringWhole, splitDays } from './log-tally.ts'

/** Number of rows of one user, and of this user and all before. */
interface UserRows {
  readonly key: number
  readonly entries: number
  readonly upto: number
}

interface Count {
  readonly user_id: number
  readonly entries: number | bigint | string
}

/** How many users' rows one statement adds up: `first`, then doubled each time up to `most`. */
const USERS_AT_ONCE = { first: 64, most: 1_024 } as const

/**
 * The users whose rows a page touches, in the order of the names that users have now. The rows of users after the page are not
 * added up: with thousands of users that would read the whole roll-up.
 */
export async function usersOfPage(
  db: Kysely<Schema>,
  filter: LogFilter,
  direction: 'asc' | 'desc',
  { offset, limit }: Page,
): Promise<readonly UserRows[]> {
  const { whole, parts } = splitDays(filter)
  const atEnds = await Promise.all(
    parts.map((part) =>
      countByUser(db, sql<Count>`select log.user_id, count(*) as entries ${fromSeries(filter, part)} group by 1`),
    ),
  )
  const users = filter.userId === undefined ? await usersByName(db, direction) : [filter.userId]
  const found: UserRows[] = []
  let upto = 0
  let left = users
  let size: number = USERS_AT_ONCE.first
  while (left.length > 0 && upto < offset + limit) {
    const some = left.slice(0, size)
    left = left.slice(size)
    size = Math.min(2 * size, USERS_AT_ONCE.most)
    const counts = [...atEnds]
    if (whole !== undefined) {
      const sums = sql<Count>`select user_id, sum(entries) as entries from log_daily
        where user_id in (${sql.join(some)}) and ${conditions(filter)} and ${duringWhole(whole)} group by user_id`
      counts.push(await countByUser(db, sums))
    }
    for (const key of some) {
      const entries = counts.reduce((total, count) => total + (count.get(key) ?? 0), 0)
      upto += entries
      if (entries > 0 && upto > offset && upto - entries < offset + limit) found.push({ key, entries, upto })
    }
  }
  return found
}

/** All users with log rows. Each is looked up after the previous one, which reads one index entry per user instead of all. */
async function usersByName(db: Kysely<Schema>, direction: 'asc' | 'desc'): Promise<readonly number[]> {
  const order = sql.raw(direction)
  const { rows } = await sql<{ id: number }>`
    with recursive logged (id) as (
      select min(user_id) from log_daily
      union all select (select min(user_id) from log_daily where user_id > logged.id) from logged where logged.id is not null
    )
    select logged.id from logged left join "user" on "user".id = logged.id where logged.id is not null
    order by ${byBytes(sql`coalesce("user".username, '')`)} ${order}, logged.id ${order}`.execute(db)
  return rows.map(({ id }) => id)
}

async function countByUser(db: Kysely<Schema>, counting: RawBuilder<Count>): Promise<ReadonlyMap<number, number>> {
  const { rows } = await counting.execute(db)
  return new Map(rows.map(({ user_id, entries }) => [user_id, asNumber(entries)]))
}
