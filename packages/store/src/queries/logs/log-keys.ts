import { type Kysely, type RawBuilder, sql } from 'kysely'
import { asNumber } from '../../aggregates.ts'
import { byBytes, type Page, type Sorting } from '../../paging.ts'
import type { Schema } from '../../schema/schema.ts'
import { chosenByTime, type KeySort } from './log-choice.ts'
import { conditions, fromSeries, type LogFilter, rollUpOf } from './log-filter.ts'
import { duringWhole, splitDays, tallyLogs } from './log-tally.ts'
import { usersOfPage } from './log-users.ts'

interface Group {
  readonly key: string | number
  readonly entries: number | bigint | string
  /** Rows of this group and of those before it. */
  readonly upto: number | bigint | string
}

/**
 * Ids of one page of the rows that a filter finds, in the order of a value that many rows share; equal ones newest first. The
 * roll-ups tell how many rows each group has, and so which groups a page touches; within a group rows are ordered by time. The
 * rows of one user are together, in the order of the names that users have now.
 */
export async function idsByKey(
  db: Kysely<Schema>,
  filter: LogFilter,
  sorting: KeySort,
  { offset, limit }: Page,
): Promise<readonly number[]> {
  const ids: number[] = []
  for (const { key, entries, upto } of await groupsOfPage(db, filter, sorting, { offset, limit })) {
    const before = asNumber(upto) - asNumber(entries)
    const part = { offset: Math.max(0, offset - before), limit: limit - ids.length }
    const group = withKey(filter, sorting.column, key)
    const chosen = await chosenByTime(db, group, await tallyLogs(db, group), 'desc', part)
    ids.push(...chosen.map(({ id }) => asNumber(id)))
  }
  return ids
}

function withKey(filter: LogFilter, column: KeySort['column'], key: string | number): LogFilter {
  const condition = {
    type: 'type',
    model_name: 'model',
    token_name: 'tokenName',
    user_id: 'userId',
    channel_id: 'channelId',
  }
  return { ...filter, [condition[column]]: key }
}

function groupsOfPage(
  db: Kysely<Schema>,
  filter: LogFilter,
  { column, direction }: KeySort,
  page: Page,
): Promise<readonly Group[]> {
  if (column === 'user_id') return usersOfPage(db, filter, direction, page)
  return groupsByValue(db, filter, { column, direction }, page)
}

async function groupsByValue(
  db: Kysely<Schema>,
  filter: LogFilter,
  { column, direction }: Sorting<Exclude<KeySort['column'], 'user_id'>>,
  { offset, limit }: Page,
): Promise<readonly Group[]> {
  const key = sql.ref(column)
  const { whole, parts } = splitDays(filter)
  const isText = column === 'model_name' || column === 'token_name'
  const rollUp = rollUpOf(withKey(filter, column, isText ? '' : 0))
  const counts: RawBuilder<unknown>[] = parts.map(
    (part) =>
      sql`select ${sql.ref(`log.${column}`)} as key, count(*) as entries ${fromSeries(filter, part)} group by 1`,
  )
  if (whole !== undefined) {
    counts.push(sql`select ${key} as key, sum(entries) as entries from ${sql.table(rollUp)}
      where ${conditions(filter)} and ${duringWhole(whole)} group by ${key}`)
  }
  if (counts.length === 0) return []
  const order = sql.raw(direction)
  const { rows } = await sql<Group>`
    with part as (${sql.join(counts, sql` union all `)}),
    grouped as (select key, sum(entries) as entries from part group by key),
    placed as (
      select key, entries, sum(entries) over (
        order by ${isText ? byBytes(sql`key`) : sql`key`} ${order} rows unbounded preceding
      ) as upto from grouped where entries > 0
    )
    select key, entries, upto from placed where upto > ${offset} and upto - entries < ${offset + limit} order by upto`.execute(
    db,
  )
  return rows
}
