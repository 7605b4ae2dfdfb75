import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../schema/schema.ts'

/** How many sessions a user may have; starting another ends the oldest. */
export const SESSIONS_PER_USER = 50

/** A live session with the current state of its account. */
export interface SessionRow {
  readonly idHash: string
  /** Unix seconds. */
  readonly created: number
  readonly expires: number
  readonly userId: number
  readonly username: string
  readonly role: number
  readonly status: number
  readonly group: string
}

/** The session under a hash; undefined when there is none or it has expired at `now` (unix seconds). */
export async function findSession(db: Kysely<Schema>, idHash: string, now: number): Promise<SessionRow | undefined> {
  return await db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.user_id')
    .select([
      'session.id_hash as idHash',
      'session.created_time as created',
      'session.expires_time as expires',
      'user.id as userId',
      'user.username',
      'user.role',
      'user.status',
      'user.group_name as group',
    ])
    .where('session.id_hash', '=', idHash)
    .where('session.expires_time', '>', now)
    .executeTakeFirst()
}

/**
 * Stores a session, ends the one it replaces, and removes expired sessions and those beyond the user's cap. Times in unix seconds.
 * Stores nothing and returns false when `passwordHash` is given but no longer the user's: a password change during the check has
 * ended every session.
 */
export async function insertSession(
  db: Kysely<Schema>,
  session: {
    readonly idHash: string
    readonly userId: number
    readonly now: number
    /** When the person signed in, if that was before `now`. */
    readonly created?: number | undefined
    readonly expires: number
    readonly replaces: string | undefined
    readonly passwordHash?: string | undefined
    /** Where the session started, for the list of the user's sessions. */
    readonly userAgent?: string | undefined
    readonly address?: string | undefined
  },
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    if (session.passwordHash !== undefined) {
      // An update that changes nothing: it waits for a password change in progress, and makes later ones wait for this transaction.
      const { numUpdatedRows } = await trx
        .updateTable('user')
        .set({ id: sql`id` })
        .where('id', '=', session.userId)
        .where('password_hash', '=', session.passwordHash)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
    }
    await trx.deleteFrom('session').where('expires_time', '<=', session.now).execute()
    if (session.replaces !== undefined)
      await trx.deleteFrom('session').where('id_hash', '=', session.replaces).execute()
    const surplus = trx
      .selectFrom('session')
      .select('id_hash')
      .where('user_id', '=', session.userId)
      .orderBy('created_time', 'desc')
      .offset(SESSIONS_PER_USER - 1)
      .limit(SESSIONS_PER_USER)
    await trx.deleteFrom('session').where('id_hash', 'in', surplus).execute()
    await trx
      .insertInto('session')
      .values({
        id_hash: session.idHash,
        user_id: session.userId,
        created_time: session.created ?? session.now,
        expires_time: session.expires,
        user_agent: session.userAgent ?? '',
        address: session.address ?? '',
      })
      .execute()
    return true
  })
}

/** Changes when a session ends; does not bring back one that is gone. */
export async function extendSession(db: Kysely<Schema>, idHash: string, expires: number): Promise<void> {
  await db.updateTable('session').set({ expires_time: expires }).where('id_hash', '=', idHash).execute()
}

export async function deleteSession(db: Kysely<Schema>, idHash: string): Promise<void> {
  await db.deleteFrom('session').where('id_hash', '=', idHash).execute()
}

/** Where a user is signed in. Times in unix seconds. */
export interface SessionOrigin {
  readonly idHash: string
  readonly userAgent: string
  readonly address: string
  readonly created: number
  readonly expires: number
}

/** The live sessions of a user, at most `SESSIONS_PER_USER`, latest sign-in first. */
export async function listSessionsOf(
  db: Kysely<Schema>,
  userId: number,
  now: number,
): Promise<readonly SessionOrigin[]> {
  return await db
    .selectFrom('session')
    .select([
      'id_hash as idHash',
      'user_agent as userAgent',
      'address',
      'created_time as created',
      'expires_time as expires',
    ])
    .where('user_id', '=', userId)
    .where('expires_time', '>', now)
    .orderBy('created_time', 'desc')
    .orderBy('id_hash')
    .limit(SESSIONS_PER_USER)
    .execute()
}

/** Ends a user's session whose hash begins with `start`. False when there is none. */
export async function deleteSessionOf(db: Kysely<Schema>, userId: number, start: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('session')
    .where('user_id', '=', userId)
    .where(sql<string>`substr(id_hash, 1, ${sql.lit(start.length)})`, '=', start)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Ends every session of a user except the one under `idHash`; returns how many. */
export async function deleteOtherSessionsOf(db: Kysely<Schema>, userId: number, idHash: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('session')
    .where('user_id', '=', userId)
    .where('id_hash', '<>', idHash)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export async function deleteSessionsOf(db: Kysely<Schema>, userId: number): Promise<void> {
  await db.deleteFrom('session').where('user_id', '=', userId).execute()
}
