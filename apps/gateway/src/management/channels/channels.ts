import type { Channel } from '@sluice/contract/channel'
import type { Refusal } from '@sluice/contract/errors'
import * as routes from '@sluice/contract/routes/channels'
import { type Page, pageOf, sortingOf } from '@sluice/store/paging'
import * as channels from '@sluice/store/queries/channels'
import { type Binding, bind, bindUpdate } from '../bind.ts'
import type { ManagementDeps } from '../ports.ts'
import { configChanges, newKeys, updatedKey } from './channel-key.ts'
import { type ChannelPatch, checkChannel, patchedChannel } from './channel-settings.ts'
import type { ChannelSpend } from './channel-spend.ts'
import type { ChannelTests } from './channel-test.ts'
import { channelOnWire } from './channel-wire.ts'

const NOT_FOUND: Refusal = { code: 'not_found', params: { what: 'Channel' } }
const NEWEST = { column: 'id', direction: 'desc' } as const

interface ListQuery {
  readonly p: number
  readonly size: number
  readonly sort: string
  readonly order: 'asc' | 'desc' | ''
}

/** Channels, for administrators. Keys go in and never come out. */
export function channelRoutes(deps: ManagementDeps, tests: ChannelTests, spend: ChannelSpend): readonly Binding[] {
  const db = deps.database.kysely
  const seal = (key: string): string => deps.vault.seal('channel_key', key)

  const list = async (keyword: string, query: ListQuery) => {
    const spent = await spend()
    const page = pageOf(query)
    const { rows, total } =
      query.sort === 'used_quota'
        ? await bySpend(keyword, spent, query.order, page)
        : await channels.listChannels(db, keyword, sortingOf(channels.CHANNEL_SORT_COLUMNS, query, NEWEST), page)
    return { data: rows.map((row) => channelOnWire(row, spent.get(row.id) ?? 0n)), total }
  }

  /** What a channel has spent is no column of its table: the order is made here. */
  const bySpend = async (
    keyword: string,
    spent: ReadonlyMap<number, bigint>,
    order: 'asc' | 'desc' | '',
    { offset, limit }: Page,
  ) => {
    const ids = await channels.listChannelIds(db, keyword)
    const sign = order === 'asc' ? 1 : -1
    const sorted = ids.toSorted((a, b) => sign * compare(spent.get(a) ?? 0n, spent.get(b) ?? 0n))
    return { rows: await channels.findChannels(db, sorted.slice(offset, offset + limit)), total: ids.length }
  }

  const answer = async (id: number): Promise<{ data: Channel } | Refusal> => {
    const row = await channels.findChannel(db, id)
    return row === undefined ? NOT_FOUND : { data: channelOnWire(row, (await spend()).get(id) ?? 0n) }
  }

  const update = async (patch: ChannelPatch) => {
    const stored = await channels.findChannel(db, patch.id)
    if (stored === undefined) return NOT_FOUND
    const body = patchedChannel(stored, patch)
    const checked = checkChannel(body)
    if ('code' in checked) return checked
    const opened = deps.vault.open('channel_key', stored.keySealed)
    const before = opened.ok ? opened.text : undefined
    const changes = configChanges(checked.config, stored.config)
    const key = updatedKey(body.type, body.key, checked.config, changes, before)
    if (typeof key === 'object') return key
    const keySealed = key === undefined ? stored.keySealed : seal(key)
    await channels.updateChannel(db, patch.id, { ...checked.settings, keySealed }, patch.status)
    return answer(patch.id)
  }

  return [
    bind(routes.listChannels, ({ query }) => list('', query)),
    bind(routes.searchChannels, ({ query }) => list(query.keyword, query)),
    bind(routes.getChannel, ({ id }) => answer(id)),

    bind(routes.createChannel, async ({ body }) => {
      const checked = checkChannel(body)
      if ('code' in checked) return checked
      const keys = newKeys(body.type, body.key, checked.config)
      if ('code' in keys) return keys
      const createdTime = Math.floor(deps.now() / 1_000)
      return { data: [...(await channels.insertChannels(db, checked.settings, keys.map(seal), createdTime))] }
    }),

    bindUpdate(routes.updateChannel, {
      full: ({ body }) => update(body),
      statusOnly: async ({ body }) =>
        (await channels.setChannelStatus(db, body.id, body.status)) ? answer(body.id) : NOT_FOUND,
    }),

    bind(routes.deleteChannel, async ({ id }) => ((await channels.deleteChannel(db, id)) ? {} : NOT_FOUND)),
    bind(routes.deleteDisabledChannels, async () => ({ data: await channels.deleteDisabledChannels(db) })),

    bind(routes.testChannel, async ({ caller, id, query }) => {
      const result = await tests.testOne(caller, id, query.model ?? '')
      if ('code' in result) return result
      const extra = { time: result.elapsedMs / 1_000, modelName: result.model }
      return { success: result.ok, message: result.message, extra }
    }),
    bind(routes.testAllChannels, async ({ caller, query }) => tests.startAll(caller, query.scope) ?? {}),

    bind(routes.channelMetadata, async ({ query }) => ({
      data: {
        default_base_url: deps.kinds.defaultBaseUrl(query.type),
        base_url_editable: deps.kinds.baseUrlEditable(query.type),
      },
    })),
    bind(routes.channelDefaultPricing, async ({ query }) => ({
      data: { model_configs: deps.kinds.defaultModelConfigs(query.type) },
    })),
    bind(routes.modelsByType, async () => ({
      data: Object.fromEntries(Object.entries(deps.kinds.knownModels()).map(([type, models]) => [type, [...models]])),
    })),
  ]
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b)
}
