import type { Kysely } from 'kysely'
import { LONGEST_PROOF_MS } from '../../clocks.ts'
import { sameEmail } from '../../same-email.ts'
import type { Schema } from '../../schema/schema.ts'
import { bumpVersion } from '../../snapshots/versions.ts'
import { USER_STATUS } from '../../statuses.ts'

/** An enabled user to whom a link may be sent, with the address as stored. */
export interface ResetRecipient {
  readonly id: number
  readonly username: string
  readonly email: string
}

export async function findByEmail(
  db: Kysely<Schema>,
  email: string,
  limit: number,
): Promise<readonly ResetRecipient[]> {
  return await db
    .selectFrom('user')
    .select(['id', 'username', 'email'])
    .where(sameEmail(email))
    .where('status', '=', USER_STATUS.enabled)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Stores a user's token, replacing an earlier one. Times in unix seconds. */
export async function putPasswordReset(
  db: Kysely<Schema>,
  reset: { readonly userId: number; readonly tokenHash: string; readonly expires: number },
): Promise<void> {
  const values = { token_hash: reset.tokenHash, expires_time: reset.expires }
  await db
    .insertInto('password_reset')
    .values({ user_id: reset.userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
}

/**
 * Uses a token up and sets the password of its user: every session, the access token and the link itself end with it. Undefined
 * when there is no such token, it has expired, the address is no longer the user's, or the user is not enabled.
 */
export async function resetPassword(
  db: Kysely<Schema>,
  reset: { readonly tokenHash: string; readonly email: string; readonly passwordHash: string; readonly now: number },
): Promise<{ readonly username: string } | undefined> {
  return await db.transaction().execute(async (trx) => {
    const token = await trx
      .deleteFrom('password_reset')
      .where('token_hash', '=', reset.tokenHash)
      .where('expires_time', '>', reset.now)
      .where('expires_time', '<=', reset.now + LONGEST_PROOF_MS / 1_000)
      .returning('user_id')
      .executeTakeFirst()
    if (token === undefined) return undefined
    const user = await trx
      .updateTable('user')
      .set({ password_hash: reset.passwordHash, access_token_hash: null })
      .where('id', '=', token.user_id)
      .where('status', '=', USER_STATUS.enabled)
      .where(sameEmail(reset.email))
      .returning('username')
      .executeTakeFirst()
    if (user === undefined) return undefined
    await trx.deleteFrom('session').where('user_id', '=', token.user_id).execute()
    await bumpVersion(trx, 'users')
    return user
  })
}
