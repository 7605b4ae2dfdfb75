import { type Channel, CHANNEL_STATUS } from '@sluice/contract/channel'
import { isRefusal, type Refusal } from '@sluice/contract/errors'
import * as routes from '@sluice/contract/routes/channels'
import { type Page, pageOf, sortingOf } from '@sluice/store/paging'
import { copyChannel } from '@sluice/store/queries/channels/channel-copy'
import * as channels from '@sluice/store/queries/channels/channels'
import { findChannelOwners } from '@sluice/store/queries/configuration/owned-items'
import { type Binding, bind, bindUpdate } from '../bind.ts'
import { unlessChannelOwned } from '../configuration/owned-by-file.ts'
import type { ListQuery } from '../list-query.ts'
import { changeChannel, createChannels, NOT_FOUND } from './channel-changes.ts'
import { channelDraftRoutes } from './channel-drafts.ts'
import { channelKeyRoutes } from './channel-keys.ts'
import type { ChannelDeps } from './channel-ports.ts'
import { channelPricingRoutes } from './channel-pricing.ts'
import { channelRoutingRoutes } from './channel-routing.ts'
import { createChannelSpend } from './channel-spend.ts'
import { channelTypeRoutes } from './channel-types.ts'
import { channelOnWire } from './channel-wire.ts'

const NEWEST = { column: 'id', direction: 'desc' } as const
const COPY_SUFFIX = ' Copy'
const NAME_MAX = 100
const MILLION = 1_000_000

/** Keys are accepted and never returned. */
export function channelRoutes(deps: ChannelDeps): readonly Binding[] {
  const shown = createShownChannels(deps)
  return [
    bind(routes.listChannels, ({ query }) => shown.list('', query)),
    bind(routes.searchChannels, ({ query }) => shown.list(query.keyword, query)),
    bind(routes.getChannel, ({ id }) => shown.one(id)),
    ...changeRoutes(deps, shown),
    ...channelKeyRoutes(deps),
    ...testRoutes(deps),
    ...channelDraftRoutes(deps),
    ...balanceRoutes(deps),
    ...channelPricingRoutes(deps),
    ...channelTypeRoutes(deps),
    ...channelRoutingRoutes(deps),
  ]
}

interface ShownChannels {
  readonly list: (keyword: string, query: ListQuery) => Promise<{ data: Channel[]; total: number }>
  readonly one: (id: number) => Promise<{ data: Channel } | Refusal>
}

function createShownChannels({ database, kinds, now }: ChannelDeps): ShownChannels {
  const db = database.kysely
  const spend = createChannelSpend(database, now)

  /** Spending is not a column of the channel table, so rows are sorted here. */
  const bySpend = async (
    keyword: string,
    spent: ReadonlyMap<number, bigint>,
    order: ListQuery['order'],
    { offset, limit }: Page,
  ) => {
    const ids = await channels.listChannelIds(db, keyword)
    const sign = order === 'asc' ? 1 : -1
    const sorted = ids.toSorted((a, b) => sign * compare(spent.get(a) ?? 0n, spent.get(b) ?? 0n))
    return { rows: await channels.findChannels(db, sorted.slice(offset, offset + limit)), total: ids.length }
  }

  return {
    list: async (keyword, query) => {
      const spent = await spend()
      const page = pageOf(query)
      const { rows, total } =
        query.sort === 'used_quota'
          ? await bySpend(keyword, spent, query.order, page)
          : await channels.listChannels(db, keyword, sortingOf(channels.CHANNEL_SORT_COLUMNS, query, NEWEST), page)
      const owners = await findChannelOwners(
        db,
        rows.map(({ id }) => id),
      )
      const onWire = (row: channels.ChannelRow) =>
        channelOnWire(kinds, row, { spent: spent.get(row.id) ?? 0n, owned: owners.get(row.id) })
      return { data: rows.map(onWire), total }
    },
    one: async (id) => {
      const row = await channels.findChannel(db, id)
      if (row === undefined) return NOT_FOUND
      const owned = (await findChannelOwners(db, [id])).get(id)
      return { data: channelOnWire(kinds, row, { spent: (await spend()).get(id) ?? 0n, owned }) }
    },
  }
}

function changeRoutes(deps: ChannelDeps, shown: ShownChannels): readonly Binding[] {
  const db = deps.database.kysely
  const answerUpdate = async (id: number, duplicates: number) => {
    const found = await shown.one(id)
    return isRefusal(found) ? found : { ...found, extra: { duplicate_keys: duplicates } }
  }
  return [
    bind(routes.createChannel, async ({ body }) => {
      const made = await createChannels(deps, body)
      return isRefusal(made) ? made : { data: [...made.ids], extra: { duplicate_keys: made.duplicates } }
    }),
    bindUpdate(routes.updateChannel, {
      full: async ({ caller, body }) => {
        const changed = await changeChannel(deps, caller, body)
        return isRefusal(changed) ? changed : answerUpdate(body.id, changed.duplicates)
      },
      statusOnly: async ({ body }) => {
        const { id, status } = body
        const isSet = await unlessChannelOwned(deps.database, { id, change: 'status' }, (trx) =>
          channels.setChannelStatus(trx, id, status),
        )
        if (typeof isSet !== 'boolean') return isSet
        if (!isSet) return NOT_FOUND
        if (status === CHANNEL_STATUS.enabled) deps.routing.forget(id)
        return answerUpdate(id, 0)
      },
    }),
    bind(routes.duplicateChannel, async ({ id }) => {
      const stored = await channels.findChannel(db, id)
      const name = `${stored?.name.slice(0, NAME_MAX - COPY_SUFFIX.length) ?? ''}${COPY_SUFFIX}`
      const copy = await copyChannel(db, id, { name, createdTime: Math.floor(deps.now() / 1_000) })
      return copy === undefined ? NOT_FOUND : shown.one(copy)
    }),
    bind(routes.deleteChannel, async ({ id }) => {
      const isDeleted = await unlessChannelOwned(deps.database, { id }, (trx) => channels.deleteChannel(trx, id))
      if (typeof isDeleted !== 'boolean') return isDeleted
      return isDeleted ? {} : NOT_FOUND
    }),
    bind(routes.deleteDisabledChannels, async () => ({ data: await channels.deleteDisabledChannels(db) })),
  ]
}

function testRoutes(deps: Pick<ChannelDeps, 'channelTests'>): readonly Binding[] {
  const { channelTests: tests } = deps
  return [
    bind(routes.testChannel, async ({ caller, id, query }) => {
      const result = await tests.testOne(caller, id, query.model ?? '')
      if (isRefusal(result)) return result
      const extra = { time: result.elapsedMs / 1_000, modelName: result.model }
      return { success: result.ok, message: result.message, extra }
    }),
    bind(routes.testAllChannels, async ({ caller, query }) => (await tests.startAll(caller, query.scope)) ?? {}),
    bind(routes.channelTestStatus, async () => ({ data: await tests.state() })),
    bind(routes.stopChannelTest, async () => {
      await tests.stop()
      return { data: await tests.state() }
    }),
  ]
}

function balanceRoutes(deps: Pick<ChannelDeps, 'channelBalances'>): readonly Binding[] {
  const { channelBalances: balances } = deps
  return [
    bind(routes.updateChannelBalance, async ({ id, context }) => {
      const balance = await balances.askOne(id, context.req.raw.signal)
      if (isRefusal(balance)) return balance
      return { extra: { balance: balance.micros / MILLION, currency: balance.currency } }
    }),
    bind(routes.updateAllBalances, async ({ caller }) => (await balances.startAll(caller)) ?? {}),
    bind(routes.channelBalanceStatus, async () => ({ data: await balances.state() })),
    bind(routes.stopChannelBalance, async () => {
      await balances.stop()
      return { data: await balances.state() }
    }),
  ]
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b)
}
