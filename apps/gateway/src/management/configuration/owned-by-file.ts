import type { Refusal } from '@sluice/contract/errors'
import type { Database } from '@sluice/store/database'
import { isGroupSetting } from '@sluice/store/options/group-changes'
import { findChannelOwners, findOptionOwners } from '@sluice/store/queries/configuration/owned-items'

type Queries = Database['kysely']

/** The refusal of a change to a channel that a configuration file owns; of its status only where the file says one. */
export async function channelOwnedByFile(db: Queries, id: number, change?: 'status'): Promise<Refusal | undefined> {
  const item = (await findChannelOwners(db, [id])).get(id)
  if (item === undefined || (change === 'status' && item.states_status === 0)) return undefined
  return { code: 'owned_by_file', params: { what: `Channel "${item.name}"`, owner: item.owner } }
}

/** The same for options; what the family has as options of groups belongs to `Groups`. */
export async function optionsOwnedByFile(db: Queries, keys: readonly string[]): Promise<Refusal | undefined> {
  const owners = await findOptionOwners(db)
  for (const key of keys) {
    const owner = owners.get(isGroupSetting(key) ? 'Groups' : key)
    if (owner !== undefined) return { code: 'owned_by_file', params: { what: `Option ${key}`, owner }, field: key }
  }
  return undefined
}
