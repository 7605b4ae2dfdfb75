import type { Refusal } from '@sluice/contract/errors'
import type { Database } from '@sluice/store/database'
import { isGroupSetting } from '@sluice/store/options/group-changes'
import { findChannelOwners, findOptionOwners, keepOwners } from '@sluice/store/queries/configuration/owned-items'

type Write<Result> = (trx: Database['kysely']) => Promise<Result>

/**
 * Changes a channel in the same transaction that checks whether a configuration file owns it, so no file can be applied in between;
 * refuses if one does. With `change: 'status'`, refuses only if the file sets the channel's status.
 */
export async function unlessChannelOwned<Result>(
  database: Database,
  { id, change }: { readonly id: number; readonly change?: 'status' },
  write: Write<Result>,
): Promise<Result | Refusal> {
  return await withOwnersKept(database, async (trx) => {
    const item = (await findChannelOwners(trx, [id])).get(id)
    if (item === undefined || (change === 'status' && item.states_status === 0)) return await write(trx)
    return { code: 'owned_by_file', params: { what: `Channel "${item.name}"`, owner: item.owner } }
  })
}

/** The same for options; the family's separate group options belong to `Groups`. */
export async function unlessOptionsOwned<Result>(
  database: Database,
  keys: readonly string[],
  write: Write<Result>,
): Promise<Result | Refusal> {
  return await withOwnersKept(database, async (trx) => {
    const owners = await findOptionOwners(trx)
    for (const key of keys) {
      const owner = owners.get(isGroupSetting(key) ? 'Groups' : key)
      if (owner !== undefined) return { code: 'owned_by_file', params: { what: `Option ${key}`, owner }, field: key }
    }
    return await write(trx)
  })
}

async function withOwnersKept<Result>(database: Database, write: Write<Result>): Promise<Result> {
  return await database.kysely.transaction().execute(async (trx) => {
    await keepOwners(trx, database.engine)
    return await write(trx)
  })
}
