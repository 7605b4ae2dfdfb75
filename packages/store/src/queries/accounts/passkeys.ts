import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../schema/schema.ts'
import { USER_STATUS } from '../../statuses.ts'
import { isUniqueViolation } from '../../unique-violation.ts'
import { hasOtherSignInMethod, type SignInMethods } from './sign-in-methods.ts'

export interface PasskeyRow {
  readonly id: number
  readonly userId: number
  readonly name: string
  /** base64url. */
  readonly credentialId: string
  /** COSE key, base64url. */
  readonly publicKey: string
  readonly signCount: number
  /** Comma-separated. */
  readonly transports: string
  /** Unix seconds. */
  readonly createdTime: number
  /** Unix seconds of the last sign-in; 0 never. */
  readonly usedTime: number
}

export interface PasskeyHolder extends PasskeyRow {
  readonly username: string
  readonly displayName: string
  readonly role: number
  readonly status: number
}

export async function listPasskeys(db: Kysely<Schema>, userId: number): Promise<readonly PasskeyRow[]> {
  return await selectPasskey(db).where('passkey.user_id', '=', userId).orderBy('passkey.id').execute()
}

/** Stores a passkey unless the user has `limit` of them. `taken`: this credential is already registered. */
export async function insertPasskey(
  db: Kysely<Schema>,
  passkey: Omit<PasskeyRow, 'id' | 'usedTime'>,
  limit: number,
): Promise<'stored' | 'taken' | 'full'> {
  try {
    return await db.transaction().execute(async (trx) => {
      const held = await trx.selectFrom('passkey').select('id').where('user_id', '=', passkey.userId).execute()
      if (held.length >= limit) return 'full'
      await trx
        .insertInto('passkey')
        .values({
          user_id: passkey.userId,
          name: passkey.name,
          credential_id: passkey.credentialId,
          public_key: passkey.publicKey,
          sign_count: passkey.signCount,
          transports: passkey.transports,
          created_time: passkey.createdTime,
          used_time: 0,
        })
        .execute()
      return 'stored'
    })
  } catch (error) {
    if (isUniqueViolation(error)) return 'taken'
    throw error
  }
}

/** False when the user has no such passkey (class S11). */
export async function renamePasskey(db: Kysely<Schema>, userId: number, id: number, name: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkey')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** `last`: no other accepted way to sign in would be left. `not_found`: the user has no such passkey (class S11). */
export async function deletePasskey(
  db: Kysely<Schema>,
  userId: number,
  id: number,
  accepted: SignInMethods,
): Promise<'deleted' | 'not_found' | 'last'> {
  return await db.transaction().execute(async (trx) => {
    const hasOther = await hasOtherSignInMethod(trx, userId, accepted, { passkey: id })
    const passkey = await trx
      .selectFrom('passkey')
      .select('id')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (passkey === undefined) return 'not_found'
    if (!hasOther) return 'last'
    await trx.deleteFrom('passkey').where('id', '=', id).execute()
    return 'deleted'
  })
}

export async function findPasskey(db: Kysely<Schema>, credentialId: string): Promise<PasskeyHolder | undefined> {
  return await selectPasskey(db)
    .innerJoin('user', 'user.id', 'passkey.user_id')
    .select(['user.username', 'user.display_name as displayName', 'user.role', 'user.status'])
    .where('passkey.credential_id', '=', credentialId)
    .where('user.status', '=', USER_STATUS.enabled)
    .executeTakeFirst()
}

/**
 * Records a sign-in. False when the authenticator's counter did not grow since the last one, which would reveal a copy of the
 * authenticator; authenticators that do not count always send 0.
 */
export async function usePasskey(
  db: Kysely<Schema>,
  id: number,
  use: { readonly signCount: number; readonly now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkey')
    .set({ sign_count: use.signCount, used_time: use.now })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('sign_count', '<', use.signCount),
        eb.and([eb('sign_count', '=', 0), sql<boolean>`${use.signCount} = 0`]),
      ]),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

function selectPasskey(db: Kysely<Schema>) {
  return db
    .selectFrom('passkey')
    .select([
      'passkey.id',
      'passkey.user_id as userId',
      'passkey.name',
      'passkey.credential_id as credentialId',
      'passkey.public_key as publicKey',
      'passkey.sign_count as signCount',
      'passkey.transports',
      'passkey.created_time as createdTime',
      'passkey.used_time as usedTime',
    ])
}
