import { createHash } from 'node:crypto'
import { CHANNEL_STATUS } from '@sluice/contract/channel'
import { type Options, readOptions } from '@sluice/store/options/options'
import { type ChannelRow, channelColumns } from '@sluice/store/queries/channels/channels'
import {
  type ConfigurationOwner,
  listConfigurationOwners,
  listOwnedItems,
  listWholeChannels,
  type OwnedItem,
} from '@sluice/store/queries/configuration/owned-items'
import type { Schema } from '@sluice/store/schema/schema'
import { loadOptions } from '@sluice/store/snapshots/options'
import type { Vault } from '@sluice/store/vault'
import type { Kysely } from 'kysely'

export type WholeChannel = ChannelRow & { readonly keySealed: string }

/** The current state of everything that a configuration file can own. */
export interface CurrentState {
  /** As stored, with secrets sealed. */
  readonly stored: ReadonlyMap<string, string>
  readonly options: Options
  readonly channels: readonly WholeChannel[]
  readonly items: readonly OwnedItem[]
  readonly owners: readonly ConfigurationOwner[]
  /** Digest of the whole state, except for the gateway's measurements and for channels that it has switched off itself. */
  readonly digest: string
}

export async function readCurrentState(db: Kysely<Schema>, vault: Vault): Promise<CurrentState> {
  const stored = await loadOptions(db)
  const channels = await listWholeChannels(db)
  const items = await listOwnedItems(db)
  const owners = await listConfigurationOwners(db)
  const { options } = readOptions(stored, openerOf(vault))
  return { stored, options, channels, items, owners, digest: digestOf(stored, channels, items, owners) }
}

/** Decrypts a sealed option; undefined when none of the keys can. */
function openerOf(vault: Vault): (sealed: string) => string | undefined {
  return (sealed) => {
    const opened = vault.open('option', sealed)
    return opened.ok ? opened.text : undefined
  }
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Whether a person or a file wants the channel on or off: a channel that the gateway switched off is meant to be on. */
export function meantStatus(status: number): 'enabled' | 'disabled' {
  return status === CHANNEL_STATUS.disabled ? 'disabled' : 'enabled'
}

const MOVING: readonly string[] = ['LogClearedBefore']

function digestOf(
  stored: CurrentState['stored'],
  channels: CurrentState['channels'],
  items: CurrentState['items'],
  owners: CurrentState['owners'],
): string {
  const settings = [...stored].filter(([key]) => !MOVING.includes(key)).sort(([a], [b]) => (a < b ? -1 : 1))
  const rows = channels.map((channel) => [channel.id, meantStatus(channel.status), channelColumns(channel)])
  const applied = owners.map(({ owner, revision, digest }) => [owner, revision, digest])
  return sha256(JSON.stringify([settings, rows, items, applied]))
}
