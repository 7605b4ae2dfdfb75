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

/** Somebody whose balance fell below the threshold and who has not heard of it yet. */
export interface LowBalance {
  readonly userId: number
  readonly username: string
  readonly email: string
  /** mq. */
  readonly posted: bigint
}

/** Those of the given users who are to be reminded: enabled, with an address, below `threshold` (mq), not reminded yet. */
export async function findLowBalances(
  db: Kysely<Schema>,
  userIds: readonly number[],
  threshold: bigint,
): Promise<readonly LowBalance[]> {
  if (userIds.length === 0) return []
  return await db
    .selectFrom('user')
    .innerJoin('account', (join) => join.on('account.kind', '=', 'user').onRef('account.owner_id', '=', 'user.id'))
    .leftJoin('quota_reminder', 'quota_reminder.user_id', 'user.id')
    .select(['user.id as userId', 'user.username', 'user.email', 'account.posted'])
    .where('user.id', 'in', userIds)
    .where('user.status', '=', ENABLED)
    .where('user.email', '<>', '')
    .where('account.unlimited', '=', 0)
    .where('account.posted', '<', threshold)
    .where('quota_reminder.user_id', 'is', null)
    .execute()
}

/** Remembers that a user is being reminded; false when another replica does so already. For the transaction of the mail. */
export async function claimReminder(db: Kysely<Schema>, userId: number, now: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('quota_reminder')
    .values({ user_id: userId, reminded_ms: now })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Takes a claim back. */
export async function dropReminder(db: Kysely<Schema>, userId: number): Promise<void> {
  await db.deleteFrom('quota_reminder').where('user_id', '=', userId).execute()
}

/** Makes users whose balance is at or above `threshold` (mq) again ready for the next reminder; at most `limit` of them. */
export async function rearmReminders(db: Kysely<Schema>, threshold: bigint, limit: number): Promise<void> {
  const recovered = db
    .selectFrom('quota_reminder')
    .innerJoin('account', (join) =>
      join.on('account.kind', '=', 'user').onRef('account.owner_id', '=', 'quota_reminder.user_id'),
    )
    .select('quota_reminder.user_id')
    .where((eb) => eb.or([eb('account.posted', '>=', threshold), eb('account.unlimited', '=', 1)]))
    .limit(limit)
  await db.deleteFrom('quota_reminder').where('user_id', 'in', recovered).execute()
}
