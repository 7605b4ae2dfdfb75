import {
  CHANNEL_SETTINGS,
  type ChannelSettings,
  columnsOfSettings,
  settingsOfRow,
} from '@sluice/contract/fields/channel'
import { splitList } from '@sluice/contract/fields/comma-list'
import { type Kysely, type Selectable, type SqlBool, sql, type UpdateObject } from 'kysely'
import { asBigInt } from '../../aggregates.ts'
import { inTransaction } from '../../in-transaction.ts'
import { type Page, readPage, type Sorting, sortValue, startsWith } from '../../paging.ts'
import type { ChannelTable, Schema } from '../../schema/schema.ts'
import { bumpVersion } from '../../snapshots/versions.ts'
import { CHANNEL_STATUS } from '../../statuses.ts'
import { changeKeyStates, forgetAutomaticStates, type KeyStates } from './channel-keys.ts'
import { forgetChannelMinutes } from './channel-minutes.ts'

/** A channel as administrators see it: everything but its key. */
export interface ChannelRow extends ChannelSettings {
  readonly id: number
  /** 1 enabled, 2 disabled, 3 disabled automatically. */
  readonly status: number
  /** Milliseconds of the last test; 0 when never tested or failed. */
  readonly responseTime: number
  /** Unix seconds; 0 never. */
  readonly testTime: number
  readonly createdTime: number
  /** Millionths of the currency; can be negative. */
  readonly balanceMicros: number
  /** `USD`, `CNY` or `points`; empty until the balance is first requested. */
  readonly balanceCurrency: string
  /** Unix seconds of the last balance check; 0 never. */
  readonly balanceTime: number
  /** Why the gateway disabled it; empty while it is not disabled automatically. */
  readonly disabledReason: string
  /** When the gateway last disabled it, in unix milliseconds; 0 once a person has switched it. */
  readonly disabledMs: number
  /** 0: a single key. Otherwise a list of this many keys. */
  readonly keyCount: number
}

export interface SealedKeys {
  /** Sealed for the purpose `channel_key`. */
  readonly keySealed: string
  /** 0: a single key as it stands. Otherwise a JSON list of this many keys. */
  readonly keyCount: number
}

export interface StoredSettings extends ChannelSettings, SealedKeys {}

/** If the gateway disables a channel again within this time, the repetition is counted. */
const DAY_MS = 86_400_000

/** Wire names of the sort columns. Channels are few: hundreds, rarely thousands. */
export const CHANNEL_SORT_COLUMNS = {
  id: 'id',
  name: 'name',
  type: 'type',
  status: 'status',
  response_time: 'response_time',
  test_time: 'test_time',
  priority: 'priority',
  weight: 'weight',
  created_time: 'created_time',
  created_at: 'created_time',
  balance: 'balance_micros',
  balance_updated_time: 'balance_time',
} as const
export type ChannelSortColumn = (typeof CHANNEL_SORT_COLUMNS)[keyof typeof CHANNEL_SORT_COLUMNS]

export const SETTING_COLUMNS = CHANNEL_SETTINGS.map(({ column }) => column)

const COLUMNS = [
  ...SETTING_COLUMNS,
  'id',
  'status',
  'response_time',
  'test_time',
  'created_time',
  'balance_micros',
  'balance_currency',
  'balance_time',
  'disabled_reason',
  'disabled_ms',
  'key_count',
] as const

type Columns = Pick<Selectable<ChannelTable>, (typeof COLUMNS)[number]>

function channelRow(row: Columns): ChannelRow {
  return {
    ...settingsOfRow(row),
    id: row.id,
    status: row.status,
    responseTime: row.response_time,
    testTime: row.test_time,
    createdTime: row.created_time,
    balanceMicros: row.balance_micros,
    balanceCurrency: row.balance_currency,
    balanceTime: row.balance_time,
    disabledReason: row.disabled_reason,
    disabledMs: row.disabled_ms,
    keyCount: row.key_count,
  }
}

/** One page of the channels whose name begins with `keyword`, or whose id it is; empty finds all. */
export async function listChannels(
  db: Kysely<Schema>,
  keyword: string,
  sorting: Sorting<ChannelSortColumn>,
  page: Page,
): Promise<{ readonly rows: readonly ChannelRow[]; readonly total: number }> {
  const found = matching(db, keyword)
  const rows = found.select(COLUMNS).orderBy(sortValue(sorting.column), sorting.direction).orderBy('id', 'desc')
  const read = await readPage(rows, found, page)
  return { ...read, rows: read.rows.map(channelRow) }
}

/** Ids of the channels that `keyword` finds, newest first: for lists in an order that the database cannot produce. */
export async function listChannelIds(db: Kysely<Schema>, keyword: string): Promise<readonly number[]> {
  const rows = await matching(db, keyword).select('id').orderBy('id', 'desc').execute()
  return rows.map((row) => row.id)
}

/** The channels with these ids, in the order of the ids. */
export async function findChannels(db: Kysely<Schema>, ids: readonly number[]): Promise<readonly ChannelRow[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('channel').select(COLUMNS).where('id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, channelRow(row)]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export async function findChannel(
  db: Kysely<Schema>,
  id: number,
): Promise<(ChannelRow & { readonly keySealed: string }) | undefined> {
  const row = await db
    .selectFrom('channel')
    .select([...COLUMNS, 'key_sealed'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { ...channelRow(row), keySealed: row.key_sealed }
}

/** Distinct models that enabled channels of these groups offer, sorted. */
export async function listModelsOfGroups(db: Kysely<Schema>, groups: readonly string[]): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('channel')
    .select(['models', 'group_names'])
    .where('status', '=', CHANNEL_STATUS.enabled)
    .execute()
  const reachable = rows.filter((row) => splitList(row.group_names).some((group) => groups.includes(group)))
  return [...new Set(reachable.flatMap((row) => splitList(row.models)))].sort()
}

export async function listEnabledModels(db: Kysely<Schema>): Promise<readonly string[]> {
  const rows = await db.selectFrom('channel').select('models').where('status', '=', CHANNEL_STATUS.enabled).execute()
  return [...new Set(rows.flatMap((row) => splitList(row.models)))].sort()
}

/** Inserts one channel for each of `keys`, all or none; returns their ids in the same order. */
export async function insertChannels(
  db: Kysely<Schema>,
  settings: ChannelSettings,
  keys: readonly SealedKeys[],
  createdTime: number,
): Promise<readonly number[]> {
  return await inTransaction(db, async (trx) => {
    const ids: number[] = []
    for (const sealed of keys) {
      const { id } = await trx
        .insertInto('channel')
        .values({
          ...channelColumns({ ...settings, ...sealed }),
          status: CHANNEL_STATUS.enabled,
          response_time: 0,
          test_time: 0,
          created_time: createdTime,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      ids.push(id)
    }
    await bumpVersion(trx, 'channels')
    return ids
  })
}

/**
 * Writes the columns that differ from `before`, so that people who change different things do not undo each other's work. An
 * undefined `status` leaves it unchanged. Keys derived from the stored ones (`keyStates` carries states over) are written only if
 * those are still stored. False when the channel no longer exists, or its keys have changed.
 */
export async function updateChannel(
  db: Kysely<Schema>,
  id: number,
  {
    next,
    before,
    status,
    keyStates,
  }: {
    readonly next: StoredSettings
    readonly before: StoredSettings
    readonly status: number | undefined
    readonly keyStates?: KeyStates | undefined
  },
): Promise<boolean> {
  const old = Object.entries(channelColumns(before))
  const changed = Object.entries(channelColumns(next)).filter(([name, value], at) => {
    const [oldName, oldValue] = old[at] ?? []
    return name !== oldName || value !== oldValue
  })
  if (changed.length === 0 && status === undefined) return (await findChannel(db, id)) !== undefined
  const values = {
    ...(Object.fromEntries(changed) as Partial<ReturnType<typeof channelColumns>>),
    ...(status === undefined ? {} : statusColumns(status)),
  }
  const isDerived = keyStates !== undefined && keyStates !== 'forgotten'
  return await change(db, id, values, { keyStates, ...(isDerived && { keySealed: before.keySealed }) })
}

/** False when there is no such channel, or, with `from`, when it is no longer in that state. */
export async function setChannelStatus(
  db: Kysely<Schema>,
  id: number,
  status: number,
  from?: number,
): Promise<boolean> {
  const values = statusColumns(status)
  // The gateway keeps its count of disablings when it enables what it has disabled.
  return from === undefined
    ? await change(db, id, values)
    : await change(db, id, { ...values, disabled_ms: undefined, disabled_times: undefined }, { status: from })
}

/**
 * Disables an enabled channel on behalf of the gateway. False when it is no longer enabled, or, with `keySealed`, when its keys
 * have changed. `at` is unix milliseconds.
 */
export async function disableChannel(
  db: Kysely<Schema>,
  id: number,
  { reason, at, keySealed }: { readonly reason: string; readonly at: number; readonly keySealed?: string | undefined },
): Promise<boolean> {
  const columns = {
    status: CHANNEL_STATUS.autoDisabled,
    disabled_reason: reason,
    disabled_ms: at,
    disabled_times: sql<number>`case when disabled_ms > ${at - DAY_MS} then disabled_times + 1 else 1 end`,
  }
  return await change(db, id, columns, {
    status: CHANNEL_STATUS.enabled,
    ...(keySealed !== undefined && { keySealed }),
  })
}

/** False when there is no such channel. */
export async function deleteChannel(db: Kysely<Schema>, id: number): Promise<boolean> {
  return (await remove(db, sql<SqlBool>`id = ${id}`)) > 0
}

/** Deletes every channel that is disabled, by hand or automatically, and that no configuration file owns; returns how many. */
export async function deleteDisabledChannels(db: Kysely<Schema>): Promise<number> {
  return await remove(
    db,
    sql<SqlBool>`status in (${CHANNEL_STATUS.disabled}, ${CHANNEL_STATUS.autoDisabled})
      and id not in (select channel_id from configuration_item)`,
  )
}

/** Amount charged through each channel (mq) on the days from `from` to before `to`; channels without charges are absent. */
export async function sumByChannel(
  db: Kysely<Schema>,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<ReadonlyMap<number, bigint>> {
  const rows = await db
    .selectFrom('usage_daily_model')
    .select(['channel_id', sql<number | bigint | string>`sum(amount)`.as('amount')])
    .where('day', '>=', from)
    .where('day', '<', to)
    .groupBy('channel_id')
    .execute()
  return new Map(rows.map((row) => [row.channel_id, asBigInt(row.amount)]))
}

async function change(
  db: Kysely<Schema>,
  id: number,
  values: UpdateObject<Schema, 'channel'>,
  {
    status: from,
    keySealed = '',
    keyStates,
  }: {
    readonly status?: number | undefined
    readonly keySealed?: string
    readonly keyStates?: KeyStates | undefined
  } = {},
): Promise<boolean> {
  return await inTransaction(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('channel')
      .set(values)
      .where('id', '=', id)
      .$if(from !== undefined, (update) => update.where('status', '=', from ?? 0))
      .$if(keySealed !== '', (update) => update.where('key_sealed', '=', keySealed))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    if (keyStates !== undefined) await changeKeyStates(trx, id, keyStates)
    // A person who switches a channel on also wants its keys on.
    if (values.status === CHANNEL_STATUS.enabled && from === undefined) await forgetAutomaticStates(trx, id)
    if (values.status === CHANNEL_STATUS.enabled) await forgetChannelMinutes(trx, id)
    await bumpVersion(trx, 'channels')
    return true
  })
}

async function remove(db: Kysely<Schema>, condition: ReturnType<typeof sql<SqlBool>>): Promise<number> {
  return await inTransaction(db, async (trx) => {
    const { numDeletedRows } = await trx.deleteFrom('channel').where(condition).executeTakeFirst()
    if (numDeletedRows > 0n) {
      await sql`delete from channel_key where channel_id not in (select id from channel)`.execute(trx)
      await bumpVersion(trx, 'channels')
    }
    return Number(numDeletedRows)
  })
}

/** A channel that is enabled again starts with a clean record; otherwise its old failures would disable it at the next one. */
function statusColumns(status: number) {
  const columns = { status, disabled_reason: '', disabled_ms: 0, disabled_times: 0 }
  return status === 1 ? { ...columns, recent_tests: '' } : columns
}

export function channelColumns(settings: StoredSettings) {
  const { name, type, ...others } = columnsOfSettings(settings)
  return { name, type, key_sealed: settings.keySealed, key_count: settings.keyCount, ...others }
}

function matching(db: Kysely<Schema>, keyword: string) {
  const channels = db.selectFrom('channel')
  if (keyword === '') return channels
  const id = /^\d{1,9}$/.test(keyword) ? Number(keyword) : 0
  return channels.where((eb) => eb.or([eb('id', '=', id), startsWith('name', keyword)]))
}
