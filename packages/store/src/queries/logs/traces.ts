import type { Kysely, Selectable } from 'kysely'
import type { TraceTable } from '../../schema/ledger.ts'
import type { Schema } from '../../schema/schema.ts'

export type StoredTrace = Selectable<TraceTable>

export async function findTrace(db: Kysely<Schema>, requestId: string): Promise<StoredTrace | undefined> {
  return await db.selectFrom('trace').selectAll().where('request_id', '=', requestId).executeTakeFirst()
}

/**
 * Deletes up to `limit` traces of requests received before a unix time, oldest first; returns how many. Request ids are UUIDv7:
 * they begin with the time in milliseconds, so the primary key finds them.
 */
export async function deleteTracesBefore(db: Kysely<Schema>, before: number, limit: number): Promise<number> {
  const firstKept = (before * 1_000).toString(16).padStart(12, '0')
  const oldest = db
    .selectFrom('trace')
    .select('request_id')
    .where('request_id', '<', firstKept)
    .orderBy('request_id')
    .limit(limit)
  const { numDeletedRows } = await db.deleteFrom('trace').where('request_id', 'in', oldest).executeTakeFirst()
  return Number(numDeletedRows)
}
