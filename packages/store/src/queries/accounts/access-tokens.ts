import type { Kysely } from 'kysely'
import type { Schema } from '../../schema/schema.ts'
import { USER_STATUS } from '../../statuses.ts'

/** The current account behind an access token. */
export interface TokenHolder {
  readonly userId: number
  readonly username: string
  readonly role: number
  readonly status: number
  readonly group: string
}

/** Replaces the user's access token by the one with this SHA-256 (hex). */
export async function setAccessToken(db: Kysely<Schema>, userId: number, tokenHash: string): Promise<void> {
  await db
    .updateTable('user')
    .set({ access_token_hash: tokenHash })
    .where('id', '=', userId)
    .where('status', '=', USER_STATUS.enabled)
    .execute()
}

/** The owner of the token with this SHA-256 (hex). */
export async function findTokenHolder(db: Kysely<Schema>, tokenHash: string): Promise<TokenHolder | undefined> {
  return await db
    .selectFrom('user')
    .select(['id as userId', 'username', 'role', 'status', 'group_name as group'])
    .where('access_token_hash', '=', tokenHash)
    .where('status', '<>', USER_STATUS.deleted)
    .executeTakeFirst()
}
