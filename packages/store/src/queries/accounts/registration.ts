import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '../../schema/schema.ts'
import { ROLE, USER_STATUS } from '../../statuses.ts'
import { isUniqueViolation } from '../../unique-violation.ts'
import { addToken, type NewToken } from '../tokens/tokens.ts'
import { consumeEmailCode, type EmailProof } from './email-codes.ts'
import { insertIdentity, type NewIdentity } from './identities.ts'
import { newUserColumns, type NewUser } from './users.ts'

/** Quota given away when an account is created. */
export interface Gift {
  /** Id of the movement. */
  readonly requestId: string
  readonly kind: 'gift' | 'invite'
  /** The user who gets it. Undefined: the new user. */
  readonly to: { readonly id: number; readonly username: string } | undefined
  /** Whole points, above zero. */
  readonly quota: number
  /** Text of its log row. */
  readonly content: string
  /** True when it is paid only once the newcomer has been charged. */
  readonly awaitsCharge: boolean
}

/** A person who signs up, as opposed to a user that an administrator creates. */
export interface NewAccount extends Omit<NewUser, 'role'> {
  /** Empty: the account has no password to sign in with. */
  readonly passwordHash: string
  /** Empty, or an address that `proof` or a sign-in provider vouches for. */
  readonly email: string
  /** The code that proved `email`, used up in this transaction. */
  readonly proof: EmailProof | undefined
  /** The account at a provider that signs in as this one, stored in this transaction. */
  readonly identity?: NewIdentity | undefined
  /** 0 for none. */
  readonly inviterId: number
  readonly token: NewToken
  readonly gifts: readonly Gift[]
  /**
   * Who the person is, as far as proved: the digests of each mailbox and each account at a provider, see `Vault.digests`. Neither a
   * person who has received a gift before nor their inviter gets anything.
   */
  readonly receivers: readonly (readonly [string, ...string[]])[]
}

/** Nothing was stored unless there is an id. */
export type OpenedAccount = { readonly id: number } | 'name_taken' | 'code_used' | 'identity_taken'

/** Stores everything that an account begins with, in one transaction. The gifts are promised: `listPendingGifts` finds them. */
export async function insertAccount(db: Kysely<Schema>, account: NewAccount): Promise<OpenedAccount> {
  try {
    return await db.transaction().execute(async (trx) => {
      if (account.proof !== undefined && !(await consumeEmailCode(trx, account.proof))) return 'code_used'
      const { id } = await trx
        .insertInto('user')
        .values({ ...newUserColumns({ ...account, role: ROLE.user }), inviter_id: account.inviterId })
        .returning('id')
        .executeTakeFirstOrThrow()
      const { identity } = account
      if (identity !== undefined && !(await insertIdentity(trx, id, identity))) throw new IdentityTaken()
      await addToken(trx, id, account.token)
      if (account.gifts.length > 0 && (await isFirstGift(trx, account.receivers))) {
        await promiseGifts(trx, { id, username: account.username }, account.gifts)
      }
      return { id }
    })
  } catch (error) {
    if (error instanceof IdentityTaken) return 'identity_taken'
    if (isUniqueViolation(error)) return 'name_taken'
    throw error
  }
}

/** Thrown to undo the transaction. */
class IdentityTaken extends Error {}

/** A gift without a movement in the ledger yet. */
export interface PendingGift {
  readonly requestId: string
  readonly kind: 'gift' | 'invite'
  readonly userId: number
  readonly username: string
  readonly quota: number
  readonly content: string
}

/** Records who receives a gift; false when one of them had received one. Of two concurrent calls, one waits for the other. */
async function isFirstGift(trx: Transaction<Schema>, receivers: NewAccount['receivers']): Promise<boolean> {
  if (receivers.length === 0) return true
  const known = await trx.selectFrom('gift_receiver').select('digest').where('digest', 'in', receivers.flat()).execute()
  const rows = receivers.map(([digest]) => ({ digest }))
  const { numInsertedOrUpdatedRows: added } = await trx
    .insertInto('gift_receiver')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return known.length === 0 && added === BigInt(rows.length)
}

/** The oldest promised gifts whose users may sign in; a gift that awaits a newcomer's charge needs one that was not refunded. */
export async function listPendingGifts(db: Kysely<Schema>, limit: number): Promise<readonly PendingGift[]> {
  return await db
    .selectFrom('pending_gift')
    .innerJoin('user', 'user.id', 'pending_gift.user_id')
    .leftJoin('account', (join) =>
      join.on('account.kind', '=', 'user').onRef('account.owner_id', '=', 'pending_gift.awaits_user'),
    )
    .select([
      'pending_gift.request_id as requestId',
      'pending_gift.kind',
      'pending_gift.user_id as userId',
      'pending_gift.username',
      'pending_gift.quota',
      'pending_gift.content',
    ])
    .where('user.status', '=', USER_STATUS.enabled)
    .where((eb) => eb.or([eb('pending_gift.awaits_user', '=', 0), eb('account.spent', '>', 0n)]))
    .orderBy('pending_gift.request_id')
    .limit(limit)
    .execute()
}

export async function deletePendingGift(db: Kysely<Schema>, requestId: string): Promise<void> {
  await db.deleteFrom('pending_gift').where('request_id', '=', requestId).execute()
}

export async function findInviter(
  db: Kysely<Schema>,
  affCode: string,
): Promise<{ readonly id: number; readonly username: string } | undefined> {
  return await db
    .selectFrom('user')
    .select(['id', 'username'])
    .where('aff_code', '=', affCode)
    .where('status', '=', USER_STATUS.enabled)
    .executeTakeFirst()
}

/** A user's invitation code (empty if none yet) and inviter (0 if none). */
export async function findInvitation(
  db: Kysely<Schema>,
  userId: number,
): Promise<{ readonly affCode: string; readonly inviterId: number }> {
  const row = await db.selectFrom('user').select(['aff_code', 'inviter_id']).where('id', '=', userId).executeTakeFirst()
  return { affCode: row?.aff_code ?? '', inviterId: row?.inviter_id ?? 0 }
}

/** A user's invitation code, or `proposed` if there was none. `code_taken`: propose another. */
export async function ensureAffCode(
  db: Kysely<Schema>,
  userId: number,
  proposed: string,
): Promise<{ readonly code: string } | 'code_taken'> {
  try {
    await db
      .updateTable('user')
      .set({ aff_code: proposed })
      .where('id', '=', userId)
      .where('aff_code', 'is', null)
      .execute()
  } catch (error) {
    if (isUniqueViolation(error)) return 'code_taken'
    throw error
  }
  const row = await db.selectFrom('user').select('aff_code').where('id', '=', userId).executeTakeFirst()
  return { code: row?.aff_code ?? '' }
}

async function promiseGifts(
  trx: Transaction<Schema>,
  created: { readonly id: number; readonly username: string },
  gifts: readonly Gift[],
): Promise<void> {
  if (gifts.length === 0) return
  const rows = gifts.map(({ requestId, kind, to = created, quota, content, awaitsCharge }) => ({
    request_id: requestId,
    kind,
    user_id: to.id,
    username: to.username,
    quota,
    content,
    awaits_user: awaitsCharge ? created.id : 0,
  }))
  await trx.insertInto('pending_gift').values(rows).execute()
}
