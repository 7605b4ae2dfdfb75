import { hash } from 'node:crypto'
import { keyFingerprint } from '@sluice/routing/key-fingerprint'
import type { Engine } from '@sluice/store/column-types'
import { setKeyState } from '@sluice/store/queries/channels/channel-keys'
import { channelColumns, SETTING_COLUMNS } from '@sluice/store/queries/channels/channels'
import { findChannelOwners, keepOwners } from '@sluice/store/queries/configuration/owned-items'
import type { FieldValue, FieldValues } from '@sluice/store/queries/imports/field-digests'
import { freeIds, insertRows, updateImportedChannel } from '@sluice/store/queries/imports/imported-rows'
import { readChannelsHere, readKeyStatesHere } from '@sluice/store/queries/imports/rows-here'
import type { Schema } from '@sluice/store/schema/schema'
import { writeKeys } from '@sluice/store/snapshots/key-list'
import { CHANNEL_STATUS } from '@sluice/store/statuses'
import type { Vault } from '@sluice/store/vault'
import type { Kysely, Transaction } from 'kysely'
import type { ImportContext } from '../import-context.ts'
import type { PlannedSourceChannel } from './channels.ts'
import { type MergedRow, onlyWritten, STATUS } from './table.ts'

const KEY = 'key'
const KEY_STATUS = 'key_status:'

/** The values that a channel would have here, by column. Keys that are off at the source are off here. */
export function wantedChannel({ channel, planned, status }: PlannedSourceChannel): FieldValues {
  const { key_sealed: _sealed, key_count: _count, ...columns } = columnsOf(planned.settings, '')
  const lines = channel.key.split('\n').map((line) => line.trim())
  const states = [...channel.keyStatuses].flatMap(([place, off]): [string, FieldValue][] => {
    const key = lines[place]
    if (key === undefined || !planned.keys.includes(key)) return []
    return [[KEY_STATUS + keyFingerprint(key, (text) => hash('sha256', text)), off]]
  })
  return { ...columns, [KEY]: writeKeys(planned.keys).text, [STATUS]: status, ...Object.fromEntries(states) }
}

export async function channelsHere(
  vault: Vault,
  db: Kysely<Schema>,
  engine: Engine,
  ids: readonly number[],
): Promise<ReadonlyMap<number, FieldValues>> {
  const states = Map.groupBy(await readKeyStatesHere(db, ids), (row) => row.channel_id)
  const rows = await readChannelsHere(db, engine, ids)
  return new Map(
    rows.map((row) => {
      const opened = vault.open('channel_key', row.key_sealed)
      const off = (states.get(row.id) ?? []).map(({ fingerprint, status }) => [KEY_STATUS + fingerprint, status])
      const values: FieldValues = {
        ...Object.fromEntries(SETTING_COLUMNS.map((column) => [column, row[column]])),
        [KEY]: opened.ok ? opened.text : row.key_sealed,
        [STATUS]: row.status,
        ...Object.fromEntries(off),
      }
      return [row.id, values]
    }),
  )
}

export async function writeChannels(
  { database, vault, now }: ImportContext,
  trx: Transaction<Schema>,
  rows: readonly MergedRow<PlannedSourceChannel>[],
): Promise<ReadonlyMap<number, number>> {
  const added = rows.filter(({ target }) => target === undefined)
  const free = await freeIds(
    trx,
    database.engine,
    'channel',
    added.map(({ id }) => id),
  )
  const seconds = Math.floor(now() / 1_000)
  const sealed = ({ planned: { settings, keys } }: PlannedSourceChannel) => {
    const { text, count } = writeKeys(keys)
    return { ...columnsOf(settings, vault.seal('channel_key', text)), key_count: count }
  }
  const ids = await insertRows(
    trx,
    'channel',
    added.map(({ id, row }) => ({
      ...(free.has(id) ? { id } : {}),
      ...sealed(row),
      status: row.status,
      response_time: 0,
      test_time: 0,
      created_time: row.channel.createdTime === 0 ? seconds : row.channel.createdTime,
    })),
  )
  const made = new Map(added.map(({ id }, at) => [id, ids[at] ?? 0]))
  // A file may have been applied since the page was read.
  await keepOwners(trx, database.engine)
  const owners = await findChannelOwners(
    trx,
    rows.flatMap(({ target }) => target ?? []),
  )
  for (const { id, row, target, wanted, writes } of rows) {
    if (target !== undefined && owners.has(target)) continue
    if (target !== undefined && writes.size > 0) {
      const { key_sealed: key, key_count: count, ...others } = { ...sealed(row), status: row.status }
      const columns = { ...onlyWritten(others, writes), ...(writes.has(KEY) && { key_sealed: key, key_count: count }) }
      if (Object.keys(columns).length > 0) await updateImportedChannel(trx, target, columns)
    }
    await writeKeyStates(trx, made.get(id) ?? target ?? 0, { wanted, writes }, now())
  }
  return made
}

/** Switches single keys on or off as at the source; keys that were switched off here stay off. */
async function writeKeyStates(
  trx: Transaction<Schema>,
  channelId: number,
  { wanted, writes }: Pick<MergedRow<PlannedSourceChannel>, 'wanted' | 'writes'>,
  at: number,
): Promise<void> {
  for (const field of writes) {
    if (!field.startsWith(KEY_STATUS)) continue
    const fingerprint = field.slice(KEY_STATUS.length)
    const status = wanted[field] ?? CHANNEL_STATUS.enabled
    await setKeyState(trx, channelId, { fingerprint, status: Number(status), reason: '', sinceMs: at })
  }
}

function columnsOf(settings: PlannedSourceChannel['planned']['settings'], keySealed: string) {
  return channelColumns({ ...settings, keySealed, keyCount: 0 })
}
