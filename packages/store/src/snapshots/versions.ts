import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '../schema/schema.ts'

/** The cached groups of rows. `users` covers every property of a user that requests depend on: role, status, group. */
export const SNAPSHOTS = ['tokens', 'channels', 'options', 'users'] as const
export type SnapshotName = (typeof SNAPSHOTS)[number]
export type SnapshotVersions = Readonly<Record<SnapshotName, number>>

/**
 * The version of each cached group. Read versions first and rows second: a change in between then shows as a newer version at the
 * next check, never as stale rows under a new version.
 */
export async function readVersions(db: Kysely<Schema>): Promise<SnapshotVersions> {
  const rows = await db.selectFrom('snapshot_version').selectAll().execute()
  const versions = new Map(rows.map((row) => [row.name, row.version]))
  const version = (name: SnapshotName): number => versions.get(name) ?? 0
  return {
    tokens: version('tokens'),
    channels: version('channels'),
    options: version('options'),
    users: version('users'),
  }
}

/** Announces that rows of a group changed. Call it in the transaction that changes them, so that both become visible at once. */
export async function bumpVersion(trx: Transaction<Schema>, name: SnapshotName): Promise<void> {
  await trx
    .updateTable('snapshot_version')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('name', '=', name)
    .execute()
}
