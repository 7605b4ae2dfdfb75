import type { PriceList } from '@sluice/contract/price-list'
import { listPricedChannels, type PricedChannel } from '@sluice/store/queries/channels/channel-display'
import { readVersions } from '@sluice/store/snapshots/versions'
import type { SharedPorts } from '../ports.ts'

/** Announced prices start at the beginning of a day. */
const DAY_MS = 86_400_000

type Shown = PriceList[string]

interface PricedEntry extends Pick<PricedChannel, 'groups'> {
  readonly key: string
  readonly shown: Omit<Shown, 'groups'>
}

/** What a price list is made for. */
export interface PriceListQuery {
  /** Groups whose channels are shown; undefined for all. */
  readonly within: readonly string[] | undefined
  /** Groups that are named where a channel serves them. */
  readonly usable: readonly string[]
  readonly keyword: string
}

/**
 * Models and prices by channel; of some groups, or of every enabled channel for guests. Recomputed only when channels have changed or
 * a day has begun, so a visitor costs one look at a version number.
 */
export function createPriceList(
  deps: Pick<SharedPorts, 'database' | 'kinds' | 'now'>,
): (query: PriceListQuery) => Promise<PriceList> {
  const db = deps.database.kysely
  let known: { readonly version: string; readonly entries: Promise<readonly PricedEntry[]> } | undefined

  const load = async (): Promise<readonly PricedEntry[]> =>
    (await listPricedChannels(db)).map((channel) => ({
      groups: channel.groups,
      key: `${deps.kinds.name(channel.type) ?? channel.type}:${channel.name}`,
      shown: {
        channel_name: channel.name,
        channel_type: channel.type,
        models: pricesOf(channel, deps.kinds.prices(channel)),
      },
    }))

  return async ({ within, usable, keyword }) => {
    const { channels } = await readVersions(db)
    const version = `${channels}:${Math.floor(deps.now() / DAY_MS)}`
    if (known?.version !== version) {
      const loading = { version, entries: load() }
      known = loading
      loading.entries.catch(() => {
        if (known === loading) known = undefined
      })
    }
    const entries = (await known.entries).filter(
      ({ groups }) => within === undefined || groups.some((group) => within.includes(group)),
    )
    return assemble(entries, usable, keyword.toLowerCase())
  }
}

function pricesOf({ models }: PricedChannel, price: ReturnType<SharedPorts['kinds']['prices']>): Shown['models'] {
  return Object.fromEntries(
    models.flatMap((model) => {
      const shown = price(model)
      return shown === undefined ? [] : [[model, shown] as const]
    }),
  )
}

/** Channels with the same type and name are shown as one. */
function assemble(entries: readonly PricedEntry[], usable: readonly string[], keyword: string): PriceList {
  const list = new Map<string, Shown>()
  for (const { key, shown, groups } of entries) {
    const found = Object.entries(shown.models).filter(([model]) => model.toLowerCase().includes(keyword))
    if (found.length === 0) continue
    const before = list.get(key)
    const serves = usable.filter((group) => groups.includes(group) || before?.groups.includes(group))
    list.set(key, { ...shown, groups: serves, models: { ...before?.models, ...Object.fromEntries(found) } })
  }
  return Object.fromEntries(list)
}
