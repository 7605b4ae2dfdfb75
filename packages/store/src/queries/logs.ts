import { type Kysely, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { asBigInt, asNumber } from '../aggregates.ts'
import { contains, type Page, type Sorting, startsWith } from '../paging.ts'
import type { LogTable, Schema } from '../schema.ts'

/** A log row; `id` may be read as number. */
export type LogRow = Omit<Selectable<LogTable>, 'id'> & { readonly id: number }

/** Which rows to look at. Absent means any. */
export interface LogFilter {
  readonly userId?: number | undefined
  readonly channelId?: number | undefined
  /** Unix seconds, inclusive. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly type?: number | undefined
  readonly model?: string | undefined
  readonly tokenName?: string | undefined
  /** Name at the time of the row; for users that are no more. */
  readonly username?: string | undefined
  /** Part of the text, start of a model, token or user name, or a request id. */
  readonly keyword?: string | undefined
}

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

/**
 * User, channel and time are served by an index, in order. Every other condition, and every other order, looks at no more
 * than the newest so many rows of those (the oldest when sorted upwards by time), so that no filter can hold up a page.
 */
const SCAN_MAX = 200_000
/** A total stops counting here. */
const TOTAL_MAX = 100_000

/** One page of log rows. */
export async function listLogs(
  db: Kysely<Schema>,
  filter: LogFilter,
  sorting: Sorting<LogSortColumn>,
  page: Page,
): Promise<readonly LogRow[]> {
  const byTime = sorting.column === 'created_at'
  const rows = await looked(db, filter, byTime ? sorting.direction : 'desc', byTime)
    .selectAll()
    .orderBy(sorting.column, sorting.direction)
    .orderBy('id', byTime ? sorting.direction : 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return rows.map((row) => ({ ...row, id: asNumber(row.id) }))
}

/** How many rows the filter finds, counted up to 100,000. */
export async function countLogs(db: Kysely<Schema>, filter: LogFilter): Promise<number> {
  const found = looked(db, filter, 'desc', true)
    .select(sql`1`.as('one'))
    .limit(TOTAL_MAX)
  const { total } = await db
    .selectFrom(found.as('found'))
    .select((eb) => eb.fn.countAll<number | bigint>().as('total'))
    .executeTakeFirstOrThrow()
  return asNumber(total)
}

/** Sum charged (mq) by the consume rows that the filter finds. Reads them all: give it a short window. */
export async function sumLogs(db: Kysely<Schema>, filter: LogFilter): Promise<bigint> {
  const { amount } = await indexed(db, filter)
    .where(residual(filter))
    .where('type', '=', 2)
    .select(sql<number | bigint | string | null>`sum(amount)`.as('amount'))
    .executeTakeFirstOrThrow()
  return asBigInt(amount)
}

export async function findLog(db: Kysely<Schema>, id: number): Promise<LogRow | undefined> {
  const row = await db
    .selectFrom('log')
    .selectAll()
    // Longer than the 32 bits that a bare parameter would be taken for.
    .where('id', '=', sql<number>`cast(${id} as bigint)`)
    .executeTakeFirst()
  return row === undefined ? undefined : { ...row, id: asNumber(row.id) }
}

/** A row that no request caused: a management act or a channel test. Rows of charges are written by the ledger alone. */
export interface PlainLogRow {
  readonly type: 3 | 4 | 5
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
      created_at: row.createdAt,
      type: row.type,
      user_id: row.userId,
      username: row.username,
      token_id: 0,
      token_name: '',
      model_name: row.model ?? '',
      origin_model_name: row.model ?? '',
      channel_id: row.channelId ?? 0,
      channel_name: row.channelName ?? '',
      amount: 0n,
      prompt_tokens: 0,
      completion_tokens: 0,
      cached_prompt_tokens: 0,
      cache_write_5m_tokens: 0,
      cache_write_1h_tokens: 0,
      reasoning_tokens: 0,
      request_id: null,
      elapsed_ms: row.elapsedMs ?? 0,
      is_stream: 0,
      estimated: 0,
      ended: '',
      content: row.content,
    })
    .execute()
}

/** How many rows were created before a unix time. Counts every one. */
export async function countLogsBefore(db: Kysely<Schema>, before: number): Promise<number> {
  const { total } = await db
    .selectFrom('log')
    .select((eb) => eb.fn.countAll<number | bigint>().as('total'))
    .where('created_at', '<', before)
    .executeTakeFirstOrThrow()
  return asNumber(total)
}

/** Deletes up to `limit` rows created before a unix time, oldest first; answers how many. */
export async function deleteLogsBefore(db: Kysely<Schema>, before: number, limit: number): Promise<number> {
  const oldest = db.selectFrom('log').select('id').where('created_at', '<', before).orderBy('created_at').limit(limit)
  const { numDeletedRows } = await db.deleteFrom('log').where('id', 'in', oldest).executeTakeFirst()
  return Number(numDeletedRows)
}

/** The rows a filter may look at, by index and in order of time, and of those the ones it finds. */
function looked(db: Kysely<Schema>, filter: LogFilter, direction: 'asc' | 'desc', byTime: boolean) {
  const candidates = indexed(db, filter)
  if (byTime && !hasResidual(filter)) return candidates
  const bounded = candidates.selectAll().orderBy('created_at', direction).orderBy('id', direction).limit(SCAN_MAX)
  return db.selectFrom(bounded.as('log')).where(residual(filter))
}

function indexed(db: Kysely<Schema>, { userId, channelId, from, to }: LogFilter) {
  return db
    .selectFrom('log')
    .$if(userId !== undefined, (logs) => logs.where('user_id', '=', userId ?? 0))
    .$if(channelId !== undefined, (logs) => logs.where('channel_id', '=', channelId ?? 0))
    .$if(from !== undefined, (logs) => logs.where('created_at', '>=', from ?? 0))
    .$if(to !== undefined, (logs) => logs.where('created_at', '<=', to ?? 0))
}

function hasResidual({ type, model, tokenName, username, keyword }: LogFilter): boolean {
  return [type, model, tokenName, username, keyword].some((condition) => condition !== undefined)
}

function residual({ type, model, tokenName, username, keyword }: LogFilter): RawBuilder<SqlBool> {
  const conditions = [
    type === undefined ? undefined : sql<SqlBool>`type = ${type}`,
    model === undefined ? undefined : sql<SqlBool>`model_name = ${model}`,
    tokenName === undefined ? undefined : sql<SqlBool>`token_name = ${tokenName}`,
    username === undefined ? undefined : sql<SqlBool>`username = ${username}`,
    keyword === undefined ? undefined : mentions(keyword),
  ].filter((condition) => condition !== undefined)
  return conditions.length === 0 ? sql<SqlBool>`1 = 1` : sql.join(conditions, sql` and `)
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
