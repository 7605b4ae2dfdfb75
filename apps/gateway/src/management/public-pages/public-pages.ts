import { CHANNEL_STATUS } from '@sluice/contract/channel'
import type { HistoryRange } from '@sluice/contract/history-range'
import type { ChannelStatus, ChannelSummary } from '@sluice/contract/price-list'
import * as routes from '@sluice/contract/routes/public'
import { pageOf } from '@sluice/store/paging'
import { listChannelHealth, sumChannelHealth } from '@sluice/store/queries/channels/channel-display'
import { readChannelHistory } from '@sluice/store/queries/channels/channel-history'
import { usableGroupsOf } from '../account/usable-groups.ts'
import { type Answer, type Binding, bind } from '../bind.ts'
import { createKept } from '../kept-answers.ts'
import type { SharedPorts } from '../ports.ts'
import type { Caller } from '../sessions/caller.ts'
import { barsOf, storedRange } from './channel-bars.ts'
import { createPricedEntries, type PricedEntry, priceListOf } from './price-list.ts'
import { priceGroupsOf, type PriceView, ratioConfigOf, ratioPricesOf } from './price-ratios.ts'

const STATUS_WORDS: Readonly<Record<number, string>> = {
  1: 'enabled',
  2: 'manually_disabled',
  3: 'auto_disabled',
}

/** The group of new accounts. Guests see its ratio in addition to the groups that everyone can use. */
const GROUP_OF_GUESTS = 'default'

export type PublicPageDeps = Pick<SharedPorts, 'database' | 'kinds' | 'now' | 'options'>

export function publicPageRoutes(deps: PublicPageDeps): readonly Binding[] {
  const pricedEntries = createPricedEntries(deps)
  const viewOf = (caller: Caller | undefined): PriceView => {
    const usable = usableGroupsOf(deps.options().Groups, caller?.group ?? GROUP_OF_GUESTS)
    return { within: caller && Object.keys(usable), usable }
  }
  const keepList = createKept<Answer<typeof routes.modelsDisplay>>()
  const keepPricing = createKept<Answer<typeof routes.pricing>>()
  const keepConfig = createKept<Answer<typeof routes.ratioConfig>>()
  const ratioPrices = (entries: readonly PricedEntry[], view: PriceView) =>
    ratioPricesOf(entries, view, deps.kinds.isChatModel)
  return [
    bind(routes.modelsDisplay, async ({ caller, query }) => {
      const groups = usableGroupsOf(deps.options().Groups, caller?.group)
      const usable = Object.keys(groups)
      const named = usable.filter((group) => group === query.group)
      const within = query.group === '' ? caller && usable : named
      const entries = await pricedEntries()
      const keyword = query.keyword || query.q
      const make = () => ({ data: priceListOf(entries, { within, usable, keyword }), extra: { groups } })
      // Visitors can search for anything, so the results are not worth caching.
      if (keyword !== '') return make()
      return keepList(entries, JSON.stringify([within, groups]), () => ({ ...make(), isKept: true }))
    }),
    bind(routes.pricing, async ({ caller }) => {
      const view = viewOf(caller)
      const entries = await pricedEntries()
      return keepPricing(entries, JSON.stringify(view), () => {
        return { data: [...ratioPrices(entries, view)], extra: priceGroupsOf(view), isKept: true }
      })
    }),
    bind(routes.ratioConfig, async ({ caller }) => {
      const view = viewOf(caller)
      const entries = await pricedEntries()
      return keepConfig(entries, JSON.stringify(view), () => {
        return { data: ratioConfigOf(ratioPrices(entries, view)), isKept: true }
      })
    }),
    bind(routes.toolsDisplay, async () => ({ data: [] })),

    bind(routes.statusOfChannels, async ({ query }) => {
      const [{ rows, total }, sums] = await Promise.all([
        listChannelHealth(deps.database.kysely, pageOf(query), query.keyword),
        sumChannelHealth(deps.database.kysely),
      ])
      const historyOf = await readHistories(deps, rows, query.range)
      const data = rows.map((row): ChannelStatus => ({
        name: row.name,
        status: STATUS_WORDS[row.status] ?? 'unknown',
        enabled: row.status === CHANNEL_STATUS.enabled,
        response: {
          response_time_ms: row.responseTime,
          test_time: row.testTime,
          created_time: row.createdTime,
        },
        ...historyOf(row.id),
      }))
      return { data, total, extra: { summary: summaryOf(sums) } }
    }),
  ]
}

/** The call history of some channels, by channel; empty when no history is requested. */
async function readHistories(
  { database, now }: Pick<SharedPorts, 'database' | 'now'>,
  channels: readonly { readonly id: number }[],
  range: HistoryRange | undefined,
): Promise<(channel: number) => Pick<ChannelStatus, 'history'>> {
  if (range === undefined) return () => ({})
  const stored = storedRange(range, Math.floor(now() / 1_000))
  const ids = channels.map(({ id }) => id)
  const bars = Map.groupBy(await readChannelHistory(database.kysely, ids, stored), ({ channelId }) => channelId)
  return (channel) => ({ history: barsOf(range, stored, bars.get(channel) ?? []) })
}

function summaryOf(sums: Awaited<ReturnType<typeof sumChannelHealth>>): ChannelSummary {
  const inStatus = (wanted: string) => sums.find(({ status }) => STATUS_WORDS[status] === wanted)
  const enabled = inStatus('enabled')
  return {
    channels: sums.reduce((sum, { channels }) => sum + channels, 0),
    enabled: enabled?.channels ?? 0,
    manually_disabled: inStatus('manually_disabled')?.channels ?? 0,
    auto_disabled: inStatus('auto_disabled')?.channels ?? 0,
    average_response_ms:
      enabled === undefined || enabled.tested === 0 ? 0 : Math.round(enabled.responseTime / enabled.tested),
  }
}
