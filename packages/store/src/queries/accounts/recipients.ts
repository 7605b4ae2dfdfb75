import type { Kysely } from 'kysely'
import type { Schema } from '../../schema/schema.ts'
import { ROLE, USER_STATUS } from '../../statuses.ts'

/** Address of the first root user that has one, who is notified when no message pusher is set. */
export async function findRootEmail(db: Kysely<Schema>): Promise<string | undefined> {
  const row = await db
    .selectFrom('user')
    .select('email')
    .where('role', '=', ROLE.root)
    .where('status', '=', USER_STATUS.enabled)
    .where('email', '<>', '')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.email
}
