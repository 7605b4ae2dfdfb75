import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'

const ROOT = 100
const ENABLED = 1

/** The address of the first root user that has one: who is told when no message pusher is set. */
export async function findRootEmail(db: Kysely<Schema>): Promise<string | undefined> {
  const row = await db
    .selectFrom('user')
    .select('email')
    .where('role', '=', ROOT)
    .where('status', '=', ENABLED)
    .where('email', '<>', '')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.email
}
