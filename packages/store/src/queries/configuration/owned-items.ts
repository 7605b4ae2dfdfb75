import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Database } from '../../database.ts'
import type { ConfigurationItemTable, ConfigurationOwnerTable } from '../../schema/configuration.ts'
import type { Schema } from '../../schema/schema.ts'
import { type ChannelRow, findChannels, listChannelIds } from '../channels/channels.ts'

export type OwnedItem = Readonly<Selectable<ConfigurationItemTable>>
export type ConfigurationOwner = Readonly<Selectable<ConfigurationOwnerTable>>

/** Rows in one statement; an item binds six values, and SQLite takes 32,766. */
const ROWS = 1_000

/**
 * Locks everything that a configuration file can own until the transaction ends: other processes that apply a file wait, as do
 * writers of options and channels. On SQLite the transaction itself ensures this.
 */
export async function lockConfiguration(trx: Transaction<Schema>, engine: Database['engine']): Promise<void> {
  if (engine === 'sqlite') return
  const tables = ['configuration_owner', 'configuration_item', 'option', 'channel', 'channel_key'].map((name) =>
    sql.table(name),
  )
  await sql`lock table ${sql.join(tables)} in share row exclusive mode`.execute(trx)
}

/**
 * For a transaction that changes something a file could own: ownership stays the same until the transaction ends, and transactions
 * that change other things do not wait. On SQLite the transaction itself ensures this.
 */
export async function keepOwners(trx: Transaction<Schema>, engine: Database['engine']): Promise<void> {
  if (engine === 'sqlite') return
  // Conflicts with the lock that applying a file takes, but not with itself.
  await sql`lock table configuration_item in row exclusive mode`.execute(trx)
}

export async function listOwnedItems(db: Kysely<Schema>): Promise<readonly OwnedItem[]> {
  return await db.selectFrom('configuration_item').selectAll().orderBy('kind').orderBy('name').execute()
}

export async function listConfigurationOwners(db: Kysely<Schema>): Promise<readonly ConfigurationOwner[]> {
  return await db.selectFrom('configuration_owner').selectAll().orderBy('owner').execute()
}

/** Makes these the only items of an owner. */
export async function replaceOwnedItems(
  trx: Transaction<Schema>,
  { owner, items }: { readonly owner: ConfigurationOwner; readonly items: readonly OwnedItem[] },
): Promise<void> {
  await trx.deleteFrom('configuration_item').where('owner', '=', owner.owner).execute()
  for (let first = 0; first < items.length; first += ROWS) {
    await trx
      .insertInto('configuration_item')
      .values(items.slice(first, first + ROWS))
      .execute()
  }
  await trx
    .insertInto('configuration_owner')
    .values(owner)
    .onConflict((conflict) =>
      conflict.column('owner').doUpdateSet({
        revision: owner.revision,
        digest: owner.digest,
        applied_ms: owner.applied_ms,
      }),
    )
    .execute()
}

/** Releases everything that an owner has, and forgets the owner. */
export async function releaseOwnedItems(trx: Transaction<Schema>, owner: string): Promise<readonly OwnedItem[]> {
  const released = await trx.deleteFrom('configuration_item').where('owner', '=', owner).returningAll().execute()
  await trx.deleteFrom('configuration_owner').where('owner', '=', owner).execute()
  return released
}

/** The owners of some channels, by channel id; channels without an owner are left out. */
export async function findChannelOwners(
  db: Kysely<Schema>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, OwnedItem>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('configuration_item')
    .selectAll()
    .where('kind', '=', 'channel')
    .where('channel_id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.channel_id, row]))
}

export async function findOptionOwners(db: Kysely<Schema>): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('configuration_item')
    .select(['name', 'owner'])
    .where('kind', '=', 'option')
    .execute()
  return new Map(rows.map(({ name, owner }) => [name, owner]))
}

/** Every channel by id, oldest first, with its sealed keys. */
export async function listWholeChannels(
  db: Kysely<Schema>,
): Promise<readonly (ChannelRow & { readonly keySealed: string })[]> {
  const ids = (await listChannelIds(db, '')).toReversed()
  const whole: (ChannelRow & { readonly keySealed: string })[] = []
  for (let first = 0; first < ids.length; first += ROWS) {
    const page = ids.slice(first, first + ROWS)
    const sealed = await db.selectFrom('channel').select(['id', 'key_sealed']).where('id', 'in', page).execute()
    const keys = new Map(sealed.map(({ id, key_sealed }) => [id, key_sealed]))
    const rows = await findChannels(db, page)
    whole.push(...rows.map((row) => ({ ...row, keySealed: keys.get(row.id) ?? '' })))
  }
  return whole
}
