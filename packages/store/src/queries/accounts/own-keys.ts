import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../schema/schema.ts'
import { bumpVersion } from '../../snapshots/versions.ts'
import { CHANNEL_STATUS } from '../../statuses.ts'

/** A user's own key for a vendor, without the key itself. */
export interface OwnKeyRow {
  readonly id: number
  readonly vendor: string
  readonly label: string
  readonly fingerprint: string
  /** Whether the platform's channels may serve requests that this key could not. */
  readonly fallsBack: boolean
  /** Unix seconds at which the current key was stored. */
  readonly createdTime: number
}

/** The stored form of a key; `sealed` comes from `sealOwnKey`. */
export interface SealedOwnKey {
  readonly sealed: string
  readonly fingerprint: string
  readonly createdTime: number
}

export interface OwnKeySetting {
  readonly userId: number
  readonly vendor: string
  readonly label: string
  readonly fallsBack: boolean
}

export async function listOwnKeys(db: Kysely<Schema>, userId: number): Promise<readonly OwnKeyRow[]> {
  const rows = await db
    .selectFrom('own_key')
    .select(['id', 'vendor', 'label', 'fingerprint', 'falls_back', 'created_time as createdTime'])
    .where('user_id', '=', userId)
    .orderBy('vendor')
    .execute()
  return rows.map(({ falls_back: fallsBack, ...row }) => ({ ...row, fallsBack: fallsBack !== 0 }))
}

/**
 * Adds or replaces the key for a vendor; without `key` only the settings of the existing one change. Relays read the caller again
 * afterwards. Returns the id, or undefined when there is no key to change.
 */
export async function putOwnKey(
  db: Kysely<Schema>,
  { userId, vendor, label, fallsBack }: OwnKeySetting,
  key: SealedOwnKey | undefined,
): Promise<number | undefined> {
  const settings = { label, falls_back: fallsBack ? 1 : 0 }
  return await db.transaction().execute(async (trx) => {
    const row =
      key === undefined
        ? await trx
            .updateTable('own_key')
            .set(settings)
            .where('user_id', '=', userId)
            .where('vendor', '=', vendor)
            .returning('id')
            .executeTakeFirst()
        : await trx
            .insertInto('own_key')
            .values({ user_id: userId, vendor, ...settings, ...columnsOf(key) })
            .onConflict((conflict) =>
              conflict.columns(['user_id', 'vendor']).doUpdateSet({ ...settings, ...columnsOf(key) }),
            )
            .returning('id')
            .executeTakeFirst()
    if (row !== undefined) await bumpVersion(trx, 'tokens')
    return row?.id
  })
}

/** False when the user has no such key (class S11). */
export async function deleteOwnKey(db: Kysely<Schema>, userId: number, id: number): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('own_key')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (numDeletedRows === 0n) return false
    await bumpVersion(trx, 'tokens')
    return true
  })
}

/** Enabled channels that may take callers' keys; only `config` tells whether they do. */
export async function listCallerChannels(
  db: Kysely<Schema>,
): Promise<readonly { readonly type: number; readonly config: string }[]> {
  return await db
    .selectFrom('channel')
    .select(['type', 'config'])
    .where('status', '=', CHANNEL_STATUS.enabled)
    .where(sql<boolean>`config like '%"caller%'`)
    .execute()
}

function columnsOf({ sealed, fingerprint, createdTime }: SealedOwnKey) {
  return { key_sealed: sealed, fingerprint, created_time: createdTime }
}
