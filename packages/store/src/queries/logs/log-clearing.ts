import { type Kysely, sql } from 'kysely'
import type { Database, Queries } from '../../database.ts'
import type { Schema } from '../../schema/schema.ts'
import { DAY_SECONDS } from './log-filter.ts'

const STATEMENT_TIMEOUT_MS = 30_000

/**
 * A separate connection for deleting. On SQLite its commits do not wait for the disk, because that would hold the lock that charges
 * wait for; rows that a crash brings back are deleted by the next clearing. Close it yourself.
 */
export async function openClearing(database: Database): Promise<Queries> {
  const own = await database.openQueries(STATEMENT_TIMEOUT_MS)
  if (database.engine === 'sqlite') await sql`pragma synchronous = normal`.execute(own.kysely)
  return own
}

/** Deletes up to `limit` rows older than a unix time; returns how many. */
export type DeleteOld = (db: Kysely<Schema>, before: number, limit: number) => Promise<number>

/** Oldest rows first. */
export const deleteLogsBefore: DeleteOld = async (db, before, limit) => {
  const oldest = db.selectFrom('log').select('id').where('created_at', '<', before).orderBy('created_at').limit(limit)
  const { numDeletedRows } = await db.deleteFrom('log').where('id', 'in', oldest).executeTakeFirst()
  return Number(numDeletedRows)
}

/**
 * Delete the sums of whole days before that time. A partly cleared day keeps its sums, which are then not used; a session keeps its
 * sums until its last call is cleared.
 */
export const deleteLogSumsBefore: readonly DeleteOld[] = [
  deleteByKey('log_daily', ['user_id', 'day', 'token_name', 'channel_id', 'model_name', 'type'], 'day', DAY_SECONDS),
  deleteByKey('log_daily_model', ['day', 'model_name', 'channel_id', 'type'], 'day', DAY_SECONDS),
  deleteByKey('log_daily_token', ['token_name', 'model_name', 'channel_id', 'day', 'type'], 'day', DAY_SECONDS),
  deleteByKey('log_zone', ['zone'], 'zone', 600),
  deleteByKey('usage_session', ['token_id', 'session'], 'last_at', 1),
]

function deleteByKey(table: string, key: readonly string[], column: string, seconds: number): DeleteOld {
  const [name, time, columns] = [sql.table(table), sql.ref(column), sql.join(key.map((part) => sql.ref(part)))]
  return async (db, before, limit) => {
    const result = await sql`delete from ${name} where (${columns}) in (
      select ${columns} from ${name} where ${time} < ${Math.floor(before / seconds)} order by ${time} limit ${limit}
    )`.execute(db)
    return Number(result.numAffectedRows ?? 0)
  }
}
