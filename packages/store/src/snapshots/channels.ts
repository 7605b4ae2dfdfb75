import { type ChannelSettings, settingsOfRow } from '@sluice/contract/fields/channel'
import { splitList } from '@sluice/contract/fields/comma-list'
import type { Kysely } from 'kysely'
import { SETTING_COLUMNS } from '../queries/channels/channels.ts'
import type { Schema } from '../schema/schema.ts'

/** A channel as routing needs it, in any status. JSON strings are as stored; their readers report what is wrong with them. */
export interface ChannelSnapshot extends Omit<ChannelSettings, 'models' | 'groups' | 'testingModel'> {
  readonly id: number
  /** 1 enabled, 2 disabled, 3 disabled automatically. */
  readonly status: number
  /** Sealed for the purpose `channel_key`. */
  readonly keySealed: string
  /** 0: the sealed text is a single key as it stands. Otherwise it is a JSON list of this many keys. */
  readonly keyCount: number
  /** Fingerprints of keys that are switched off. */
  readonly disabledKeys: ReadonlySet<string>
  readonly models: readonly string[]
  readonly groups: readonly string[]
}

/** Every channel, by id. */
export async function loadChannels(db: Kysely<Schema>): Promise<readonly ChannelSnapshot[]> {
  const keys = await db.selectFrom('channel_key').select(['channel_id', 'fingerprint']).execute()
  const disabled = Map.groupBy(keys, (key) => key.channel_id)
  const rows = await db
    .selectFrom('channel')
    .select([...SETTING_COLUMNS, 'id', 'status', 'key_sealed', 'key_count'])
    .orderBy('id')
    .execute()
  return rows.map((row) => {
    // Only tests use the testing model, and they read it from the table.
    const { testingModel: _testingModel, ...settings } = settingsOfRow(row)
    return {
      ...settings,
      id: row.id,
      status: row.status,
      keySealed: row.key_sealed,
      keyCount: row.key_count,
      models: splitList(settings.models),
      groups: splitList(settings.groups),
      disabledKeys: new Set(disabled.get(row.id)?.map(({ fingerprint }) => fingerprint)),
    }
  })
}
