import type { Kysely, Transaction } from 'kysely'
import { CLOCKS_DIFFER_MS } from '../../clocks.ts'
import type { Schema } from '../../schema/schema.ts'

/** The second step of a user; undefined when it is off. */
export async function findTotp(db: Kysely<Schema>, userId: number): Promise<string | undefined> {
  const row = await db.selectFrom('user').select('totp_sealed').where('id', '=', userId).executeTakeFirst()
  return row?.totp_sealed ?? undefined
}

/** A used step further ahead than this is ignored: it was stored under a clock that was ahead. */
const STEPS_AHEAD = CLOCKS_DIFFER_MS / 30_000

/** Marks a 30-second step as used. False when its code, or a later one, was accepted before: a code works once. */
export async function useTotpStep(db: Kysely<Schema>, userId: number, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('user')
    .set({ totp_last_step: step })
    .where('id', '=', userId)
    .where((eb) => eb.or([eb('totp_last_step', '<', step), eb('totp_last_step', '>', step + STEPS_AHEAD)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Switches the second step on, with new recovery codes; every session of the user ends. False when it is already on. `step` is the
 * time step whose code confirmed it.
 */
export async function enableTotp(
  db: Kysely<Schema>,
  userId: number,
  totp: { readonly sealed: string; readonly step: number; readonly recoveryHashes: readonly string[] },
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('user')
      .set({ totp_sealed: totp.sealed, totp_last_step: totp.step })
      .where('id', '=', userId)
      .where('totp_sealed', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await putRecoveryCodes(trx, userId, totp.recoveryHashes)
    await trx.deleteFrom('session').where('user_id', '=', userId).execute()
    return true
  })
}

/** Switches the second step off; recovery codes and every session end with it. False when it was off. */
export async function disableTotp(db: Kysely<Schema>, userId: number): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('user')
      .set({ totp_sealed: null })
      .where('id', '=', userId)
      .where('totp_sealed', 'is not', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await trx.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
    await trx.deleteFrom('session').where('user_id', '=', userId).execute()
    return true
  })
}

export async function replaceRecoveryCodes(
  db: Kysely<Schema>,
  userId: number,
  hashes: readonly string[],
): Promise<void> {
  await db.transaction().execute((trx) => putRecoveryCodes(trx, userId, hashes))
}

/** Uses a recovery code up; false when it is not one of the user's. */
export async function useRecoveryCode(db: Kysely<Schema>, userId: number, hash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_code')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function countRecoveryCodes(db: Kysely<Schema>, userId: number): Promise<number> {
  return (await db.selectFrom('recovery_code').select('code_hash').where('user_id', '=', userId).execute()).length
}

async function putRecoveryCodes(trx: Transaction<Schema>, userId: number, hashes: readonly string[]): Promise<void> {
  await trx.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
  await trx
    .insertInto('recovery_code')
    .values(hashes.map((hash) => ({ user_id: userId, code_hash: hash })))
    .execute()
}
