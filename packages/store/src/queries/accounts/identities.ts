import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '../../schema/schema.ts'
import { USER_STATUS } from '../../statuses.ts'
import { isUniqueViolation } from '../../unique-violation.ts'
import { hasOtherSignInMethod, type SignInMethods } from './sign-in-methods.ts'
import type { Credentials } from './users.ts'

export interface IdentityKey {
  readonly provider: string
  readonly issuer: string
  readonly subject: string
}

export interface NewIdentity extends IdentityKey {
  readonly label: string
  /** Unix seconds. */
  readonly createdTime: number
}

export type SignInUser = Omit<Credentials, 'passwordHash'>

export async function findSignInUser(db: Kysely<Schema>, id: number): Promise<SignInUser | undefined> {
  return await db
    .selectFrom('user')
    .select(['id', 'username', 'display_name as displayName', 'role', 'status'])
    .where('id', '=', id)
    .where('status', '<>', USER_STATUS.deleted)
    .executeTakeFirst()
}

/** The user that an identity signs in as, in any status except deleted. */
export async function findUserByIdentity(
  db: Kysely<Schema>,
  { provider, issuer, subject }: IdentityKey,
): Promise<SignInUser | undefined> {
  return await db
    .selectFrom('identity')
    .innerJoin('user', 'user.id', 'identity.user_id')
    .select(['user.id', 'user.username', 'user.display_name as displayName', 'user.role', 'user.status'])
    .where('identity.provider', '=', provider)
    .where('identity.issuer', '=', issuer)
    .where('identity.subject', '=', subject)
    .where('user.status', '<>', USER_STATUS.deleted)
    .executeTakeFirst()
}

/** Makes an identity sign in as this user, in place of the provider's earlier one. `taken`: it signs in as another user. */
export async function bindIdentity(
  db: Kysely<Schema>,
  userId: number,
  identity: NewIdentity,
): Promise<'bound' | 'taken'> {
  try {
    return await db.transaction().execute(async (trx) => {
      await freeFromDeleted(trx, identity)
      await trx
        .insertInto('identity')
        .values(rowOf(userId, identity))
        .onConflict((conflict) =>
          conflict.columns(['user_id', 'provider']).doUpdateSet({
            issuer: identity.issuer,
            subject: identity.subject,
            label: identity.label,
            created_time: identity.createdTime,
          }),
        )
        .execute()
      return 'bound' as const
    })
  } catch (error) {
    // The other unique key: the identity belongs to another user.
    if (isUniqueViolation(error)) return 'taken'
    throw error
  }
}

/** Removes the binding of a provider. `last`: no other accepted way to sign in would be left. */
export async function unbindIdentity(
  db: Kysely<Schema>,
  userId: number,
  provider: string,
  accepted: SignInMethods,
): Promise<'unbound' | 'not_bound' | 'last'> {
  return await db.transaction().execute(async (trx) => {
    const hasOther = await hasOtherSignInMethod(trx, userId, accepted, { provider })
    const bound = await trx
      .selectFrom('identity')
      .select('provider')
      .where('user_id', '=', userId)
      .where('provider', '=', provider)
      .executeTakeFirst()
    if (bound === undefined) return 'not_bound'
    if (!hasOther) return 'last'
    await trx.deleteFrom('identity').where('user_id', '=', userId).where('provider', '=', provider).execute()
    return 'unbound'
  })
}

/** For the transaction that creates the user. False when the identity already signs in as another user: undo everything then. */
export async function insertIdentity(
  trx: Transaction<Schema>,
  userId: number,
  identity: NewIdentity,
): Promise<boolean> {
  await freeFromDeleted(trx, identity)
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('identity')
    .values(rowOf(userId, identity))
    .onConflict((conflict) => conflict.columns(['provider', 'issuer', 'subject']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Lets the owner of a deleted account use the identity again. */
async function freeFromDeleted(trx: Transaction<Schema>, { provider, issuer, subject }: IdentityKey): Promise<void> {
  await trx
    .deleteFrom('identity')
    .where('provider', '=', provider)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('user_id', 'in', (eb) => eb.selectFrom('user').select('id').where('status', '=', USER_STATUS.deleted))
    .execute()
}

function rowOf(userId: number, { provider, issuer, subject, label, createdTime }: NewIdentity) {
  return { provider, issuer, subject, user_id: userId, label, created_time: createdTime }
}
