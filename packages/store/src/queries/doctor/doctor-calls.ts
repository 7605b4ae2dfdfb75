import { type Kysely, sql } from 'kysely'
import { databaseTime } from '../../clocks.ts'
import type { Database } from '../../database.ts'
import type { Schema } from '../../schema/schema.ts'

type OneDatabase = Pick<Database, 'kysely' | 'engine'>

/** Publishes the hash of a value for this long, by the database's clock, and removes expired ones. */
export async function putOutCall({ kysely, engine }: OneDatabase, valueHash: string, lifeMs: number): Promise<void> {
  const now = databaseTime(engine)
  await kysely.deleteFrom('doctor_call').where('expires_ms', '<', now).execute()
  await kysely
    .insertInto('doctor_call')
    .values({ value_hash: valueHash, expires_ms: sql<number>`${now} + ${lifeMs}` })
    .execute()
}

export async function isCallOut({ kysely, engine }: OneDatabase, valueHash: string): Promise<boolean> {
  const row = await kysely
    .selectFrom('doctor_call')
    .select('value_hash')
    .where('value_hash', '=', valueHash)
    .where('expires_ms', '>', databaseTime(engine))
    .executeTakeFirst()
  return row !== undefined
}

export async function takeBackCall(db: Kysely<Schema>, valueHash: string): Promise<void> {
  await db.deleteFrom('doctor_call').where('value_hash', '=', valueHash).execute()
}
