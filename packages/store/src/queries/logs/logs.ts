import { PLAIN_LOG_COLUMNS } from '@sluice/contract/fields/log'
import { type Kysely, type Selectable, sql } from 'kysely'
import { asNumber } from '../../aggregates.ts'
import type { Page, Sorting } from '../../paging.ts'
import type { LogTable } from '../../schema/ledger.ts'
import type { Schema } from '../../schema/schema.ts'
import { LOG_TYPE } from '../../statuses.ts'
import { chosenByTime, isByKey, isByValue, type LogSortColumn } from './log-choice.ts'
import { idsByValue, type SortedPart } from './log-extremes.ts'
import type { LogFilter } from './log-filter.ts'
import { idsByKey } from './log-keys.ts'
import { idsOfRequest, searchLogs as search } from './log-search.ts'
import { amountOf, tallyLogs, totalOf } from './log-tally.ts'

/** A log row; `id` may be read as number. */
export type LogRow = Omit<Selectable<LogTable>, 'id'> & { readonly id: number }

export interface LogPage {
  readonly rows: readonly LogRow[]
  readonly total: number
  /** How much of the list is in the requested order; absent if all of it is. */
  readonly sorted?: SortedPart | undefined
}

/**
 * One page of the rows that a filter finds. In the order of time, or of values that many rows share, every page is as fast as the
 * first. In the order of a number, only a part is sorted: see `log-extremes.ts`.
 */
export async function listLogs(
  db: Kysely<Schema>,
  filter: LogFilter,
  sorting: Sorting<LogSortColumn>,
  page: Page,
): Promise<LogPage> {
  const days = await tallyLogs(db, filter)
  const total = totalOf(days)
  if (total <= page.offset) return { rows: [], total }
  if (isByKey(sorting)) return { rows: await readLogs(db, await idsByKey(db, filter, sorting, page)), total }
  if (isByValue(sorting)) {
    const { ids, sorted } = await idsByValue(db, filter, sorting, days, page)
    return { rows: await readLogs(db, ids), total, sorted }
  }
  const chosen = await chosenByTime(db, filter, days, sorting.direction, page)
  return {
    rows: await readLogs(
      db,
      chosen.map(({ id }) => asNumber(id)),
    ),
    total,
  }
}

/** One page of the rows that mention a keyword, newest first; see `log-search.ts` for how far it looks. */
export async function searchLogs(
  db: Kysely<Schema>,
  filter: Pick<LogFilter, 'userId' | 'from'>,
  keyword: string,
  page: Page,
): Promise<LogPage> {
  const { ids, total } = await search(db, filter, keyword, page)
  return { rows: await readLogs(db, ids), total }
}

export async function countLogs(db: Kysely<Schema>, filter: LogFilter): Promise<number> {
  return totalOf(await tallyLogs(db, filter))
}

/** Sum charged (mq) by the consume rows that the filter finds. */
export async function sumLogs(db: Kysely<Schema>, filter: LogFilter): Promise<bigint> {
  return amountOf(await tallyLogs(db, { ...filter, type: LOG_TYPE.consume }))
}

async function readLogs(db: Kysely<Schema>, ids: readonly number[]): Promise<readonly LogRow[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('log').selectAll().where('id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [asNumber(row.id), row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row === undefined ? [] : [{ ...row, id }]
  })
}

export async function findLog(db: Kysely<Schema>, id: number): Promise<LogRow | undefined> {
  const row = await db
    .selectFrom('log')
    .selectAll()
    // PostgreSQL would take a bare parameter for a 32-bit integer.
    .where('id', '=', sql<number>`cast(${id} as bigint)`)
    .executeTakeFirst()
  return row === undefined ? undefined : { ...row, id: asNumber(row.id) }
}

export async function findLogOfRequest(db: Kysely<Schema>, requestId: string): Promise<LogRow | undefined> {
  return (await readLogs(db, await idsOfRequest(db, requestId))).find(({ type }) => type === LOG_TYPE.consume)
}

/** A row that no request caused: a management act or a channel test. Only the ledger writes rows of charges. */
export interface PlainLogRow {
  readonly type: typeof LOG_TYPE.management | typeof LOG_TYPE.system | typeof LOG_TYPE.test
  /** Unix seconds. */
  readonly createdAt: number
  readonly userId: number
  readonly username: string
  readonly content: string
  readonly model?: string
  readonly channelId?: number
  readonly channelName?: string
  readonly elapsedMs?: number
}

export async function insertLog(db: Kysely<Schema>, row: PlainLogRow): Promise<void> {
  await db
    .insertInto('log')
    .values({
      ...PLAIN_LOG_COLUMNS,
      created_at: row.createdAt,
      type: row.type,
      user_id: row.userId,
      username: row.username,
      model_name: row.model ?? '',
      origin_model_name: row.model ?? '',
      channel_id: row.channelId ?? 0,
      channel_name: row.channelName ?? '',
      elapsed_ms: row.elapsedMs ?? 0,
      content: row.content,
    })
    .execute()
}

const NEWEST = { column: 'created_at', direction: 'desc' } as const

/**
 * Log rows of one token, newest first: those of the last `most` rows under its name that are its own. Tokens of one user may share
 * a name, and a key must not show the rows of another. `since` in unix seconds: older rows were cleared.
 */
export async function listLogsOfToken(
  db: Kysely<Schema>,
  of: { readonly userId: number; readonly tokenId: number; readonly tokenName: string; readonly since: number },
  page: Page,
  most: number,
): Promise<LogPage> {
  const { userId, tokenId, tokenName, since } = of
  const filter = { userId, tokenName, from: since > 0 ? since : undefined }
  const { rows } = await listLogs(db, filter, NEWEST, { limit: most, offset: 0 })
  const own = rows.filter((row) => row.token_id === tokenId)
  return { rows: own.slice(page.offset, page.offset + page.limit), total: own.length }
}
