import { setImmediate } from 'node:timers/promises'
import type { PriceList } from '@sluice/contract/price-list'
import { listPricedChannels, type PricedChannel } from '@sluice/store/queries/channels/channel-display'
import { readVersions } from '@sluice/store/snapshots/versions'
import type { SharedPorts } from '../ports.ts'

/** Prices computed in one turn of the event loop, which takes about two milliseconds. */
const AT_ONCE = 50
/** Announced prices start at the beginning of a day. */
const DAY_MS = 86_400_000

type Shown = PriceList[string]

export interface PricedEntry extends Pick<PricedChannel, 'groups' | 'priority'> {
  readonly key: string
  readonly owner: string
  readonly shown: Omit<Shown, 'groups'>
}

interface KnownList {
  readonly version: string
  /** Not the version of the options in the database, because these prices may be older. */
  readonly overrides: string
  readonly entries: Promise<readonly PricedEntry[]>
}

/** By channel id. Recomputed only after a change of channels or price overrides, or on a new day; a visit costs a version check. */
export function createPricedEntries(
  deps: Pick<SharedPorts, 'database' | 'kinds' | 'now' | 'options'>,
): () => Promise<readonly PricedEntry[]> {
  const db = deps.database.kysely
  let known: KnownList | undefined

  const load = async (): Promise<readonly PricedEntry[]> => {
    const entries: PricedEntry[] = []
    for (const channel of await listPricedChannels(db)) {
      const owner = deps.kinds.name(channel.type) ?? String(channel.type)
      entries.push({
        groups: channel.groups,
        priority: channel.priority,
        key: `${owner}:${channel.name}`,
        owner,
        shown: {
          channel_name: channel.name,
          channel_type: channel.type,
          models: await pricesOf(channel, deps.kinds.prices(channel)),
        },
      })
    }
    return entries
  }

  return async () => {
    const { channels } = await readVersions(db)
    const version = `${channels}:${Math.floor(deps.now() / DAY_MS)}`
    const overrides = deps.options().PriceOverrides
    if (known?.version !== version || known.overrides !== overrides) {
      const loading = { version, overrides, entries: load() }
      known = loading
      loading.entries.catch(() => {
        if (known === loading) known = undefined
      })
    }
    return await known.entries
  }
}

export interface PriceListQuery {
  /** Groups whose channels are shown; undefined for all, as guests see them. */
  readonly within: readonly string[] | undefined
  /** Groups that are listed for each channel that serves them. */
  readonly usable: readonly string[]
  readonly keyword: string
}

export function priceListOf(entries: readonly PricedEntry[], { within, usable, keyword }: PriceListQuery): PriceList {
  return assemble(reachedBy(entries, within), usable, keyword.toLowerCase())
}

/** The channels that serve one of these groups; undefined for all channels. */
export function reachedBy(
  entries: readonly PricedEntry[],
  within: readonly string[] | undefined,
): readonly PricedEntry[] {
  return entries.filter(({ groups }) => within === undefined || groups.some((group) => within.includes(group)))
}

/** Yields between chunks, because computing thousands of models at once would delay other work noticeably. */
async function pricesOf(
  { models }: PricedChannel,
  price: ReturnType<SharedPorts['kinds']['prices']>,
): Promise<Shown['models']> {
  const prices: [string, Shown['models'][string]][] = []
  for (const [at, model] of models.entries()) {
    if (at % AT_ONCE === 0) await setImmediate()
    const shown = price(model)
    if (shown !== undefined) prices.push([model, shown])
  }
  return Object.fromEntries(prices)
}

interface Assembled extends Omit<Shown, 'models'> {
  readonly models: Map<string, Shown['models'][string]>
}

/** Channels with the same type and name are shown as one. */
function assemble(entries: readonly PricedEntry[], usable: readonly string[], keyword: string): PriceList {
  const list = new Map<string, Assembled>()
  for (const { key, shown, groups } of entries) {
    const before = list.get(key)
    const models = before?.models ?? new Map<string, Shown['models'][string]>()
    let isFound = false
    for (const [model, price] of Object.entries(shown.models)) {
      if (keyword !== '' && !model.toLowerCase().includes(keyword)) continue
      models.set(model, price)
      isFound = true
    }
    if (!isFound) continue
    const serves = usable.filter((group) => groups.includes(group) || before?.groups.includes(group))
    list.set(key, { ...shown, groups: serves, models })
  }
  return Object.fromEntries(
    [...list].map(([key, assembled]) => [key, { ...assembled, models: Object.fromEntries(assembled.models) }]),
  )
}
