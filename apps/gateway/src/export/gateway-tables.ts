import { hash } from 'node:crypto'
import { CHANNEL_SETTINGS } from '@sluice/contract/fields/channel'
import { decimalText } from '@sluice/ledger/decimal-text'
import { mq, quotaText, wholeCharge, wholeQuota } from '@sluice/ledger/units'
import { keyFingerprint } from '@sluice/routing/key-fingerprint'
import { GROUP_VIEWS, groupSettingText } from '@sluice/store/options/group-changes'
import { OPTION_DEFINITIONS } from '@sluice/store/options/option-definitions'
import { isOptionKey, readOptions } from '@sluice/store/options/options'
import { listExportedChannels, listExportedCodes, listExportedLogs } from '@sluice/store/queries/exported-rows'
import type { Schema } from '@sluice/store/schema/schema'
import { readKeys } from '@sluice/store/snapshots/key-list'
import { loadOptions } from '@sluice/store/snapshots/options'
import type { Kysely } from 'kysely'
import { type Cell, type ExportedTable, exportedTable } from './exported-table.ts'
import type { StoredSecrets } from './stored-secrets.ts'

type Secrets = Pick<StoredSecrets, 'open'>

/** The keys of a channel take up to half a megabyte. */
const CHANNELS = 20
const CODES = 1_000
const LOGS = 1_000
const MS_PER_SECOND = 1_000
const MICROS = 6

/** The family's table `channels`, with the columns of Laisky's fork, and new-api's `channel_info` for keys that are off. */
export function channelsTable(
  { open }: Secrets,
  { charged }: { /** Spent through each channel, mq. */ readonly charged: ReadonlyMap<number, bigint> },
): ExportedTable {
  const read = async (...[db, last]: Parameters<Parameters<typeof exportedTable<Channel>>[0]>) => {
    const rows = await listExportedChannels(db, { after: last?.id ?? 0, limit: CHANNELS })
    return rows.map((row) => ({ ...row, keys: keysIn(open('channel_key', row.key_sealed), row.key_count) }))
  }
  const used = ({ id, before }: Channel) => mq((charged.get(id) ?? 0n) + (before?.used ?? 0n))
  const columns: Readonly<Record<string, (channel: Channel) => Cell>> = {
    ...Object.fromEntries(CHANNEL_SETTINGS.map(({ name, column }) => [name, (channel) => channel[column]])),
    id: (channel) => channel.id,
    key: (channel) => channel.keys.join('\n'),
    status: (channel) => channel.status,
    created_time: (channel) => channel.created_time,
    test_time: (channel) => channel.test_time,
    response_time: (channel) => channel.response_time,
    balance: (channel) => decimalText(BigInt(channel.balance_micros), MICROS),
    balance_currency: (channel) => channel.balance_currency,
    balance_updated_time: (channel) => channel.balance_time,
    used_quota: (channel) => wholeCharge(used(channel)),
    used_quota_exact: (channel) => quotaText(used(channel)),
    channel_info: channelInfo,
  }
  const place = (name: string) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length)
  const sorted = Object.entries(columns).sort(([a], [b]) => place(a) - place(b))
  return exportedTable<Channel>(read, Object.fromEntries(sorted))
}

/** The order in the tables of the family; unlisted settings come last. */
const ORDER: readonly string[] = (
  'id type key status name weight created_time test_time response_time base_url other balance balance_currency ' +
  'balance_updated_time models group used_quota used_quota_exact model_mapping priority config system_prompt ' +
  'model_configs ratelimit testing_model inference_profile_arn_map channel_info'
).split(' ')

type Channel = Awaited<ReturnType<typeof listExportedChannels>>[number] & { readonly keys: readonly string[] }

function keysIn(text: string, count: number): readonly string[] {
  return text === '' ? [] : (readKeys(text, count) ?? [])
}

/** new-api's form: positions of keys among the lines of `key`, from 0. */
function channelInfo({ key_count: count, keys, keysOff }: Channel): string | null {
  if (count === 0) return null
  const statuses = new Map(keysOff.map(({ fingerprint, status }) => [fingerprint, status]))
  const off = keys.flatMap((key, place) => {
    const status = statuses.get(keyFingerprint(key, (text) => hash('sha256', text)))
    return status === undefined ? [] : [[String(place), status] as const]
  })
  return JSON.stringify({
    is_multi_key: true,
    multi_key_size: keys.length,
    multi_key_status_list: Object.fromEntries(off),
  })
}

/** The family's table `redemptions`; the last two columns are new-api's. */
export function codesTable({ open }: Secrets): ExportedTable {
  type Code = Awaited<ReturnType<typeof listExportedCodes>>[number]
  return exportedTable<Code>((db, last) => listExportedCodes(db, { after: last?.id ?? 0, limit: CODES }), {
    id: (code) => code.id,
    user_id: (code) => code.created_by,
    key: (code) => open('redemption', code.key_sealed),
    status: (code) => code.status,
    name: (code) => code.name,
    quota: (code) => wholeQuota(mq(code.amount)),
    created_time: (code) => code.created_time,
    redeemed_time: (code) => Math.floor(code.redeemed_ms / MS_PER_SECOND),
    used_user_id: (code) => code.redeemed_by,
    expired_time: (code) => code.expired_time,
  })
}

/** Set `options`, under their names here. Group settings are also written under new-api's names. */
export function optionsTable({ open }: Secrets): ExportedTable {
  type Option = readonly [key: string, value: string]
  return exportedTable<Option>(async (db, last) => (last === undefined ? await readSet(db) : []), {
    key: ([key]) => key,
    value: ([key, value]) =>
      isOptionKey(key) && OPTION_DEFINITIONS[key].type === 'secret' ? open('option', value) : value,
  })
}

async function readSet(db: Kysely<Schema>) {
  const stored = await loadOptions(db)
  if (!stored.has('Groups')) return [...stored]
  // The row of this name contains only part of the groups.
  const { Groups: groups } = readOptions(stored, () => undefined).options
  const ofGroups = (['Groups', ...GROUP_VIEWS] as const).map((key) => [key, groupSettingText(key, groups)] as const)
  return [...new Map([...stored, ...ofGroups])]
}

/** The family's table `logs`, with columns of its forks and further columns of a charge here. */
export function logsTable({ clearedBefore }: { /** Unix seconds. */ readonly clearedBefore: number }): ExportedTable {
  type Log = Awaited<ReturnType<typeof listExportedLogs>>[number]
  return exportedTable<Log>((db, last) => listExportedLogs(db, { after: last?.id ?? 0, limit: LOGS, clearedBefore }), {
    id: (log) => log.id,
    user_id: (log) => log.user_id,
    created_at: (log) => log.created_at,
    type: (log) => log.type,
    content: (log) => log.content,
    username: (log) => log.username,
    token_id: (log) => log.token_id,
    token_name: (log) => log.token_name,
    model_name: (log) => log.model_name,
    origin_model_name: (log) => log.origin_model_name,
    quota: (log) => wholeCharge(mq(log.amount)),
    quota_exact: (log) => quotaText(mq(log.amount)),
    prompt_tokens: (log) => log.prompt_tokens,
    completion_tokens: (log) => log.completion_tokens,
    cached_prompt_tokens: (log) => log.cached_prompt_tokens,
    cache_write_5m_tokens: (log) => log.cache_write_5m_tokens,
    cache_write_1h_tokens: (log) => log.cache_write_1h_tokens,
    reasoning_tokens: (log) => log.reasoning_tokens,
    units: (log) => log.units,
    channel_id: (log) => log.channel_id,
    channel_name: (log) => log.channel_name,
    request_id: (log) => log.request_id,
    elapsed_time: (log) => log.elapsed_ms,
    is_stream: (log) => log.is_stream,
    estimated: (log) => log.estimated,
    ended: (log) => log.ended,
  })
}
