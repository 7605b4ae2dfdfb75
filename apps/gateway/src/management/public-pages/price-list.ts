import type { PriceList } from '@sluice/contract/price-list'
import { listPricedChannels, type PricedChannel } from '@sluice/store/queries/channels/channel-display'
import { readVersions } from '@sluice/store/snapshots/versions'
import type { SharedPorts } from '../ports.ts'

/** Announced prices start at the beginning of a day. */
const DAY_MS = 86_400_000

/** An enabled channel with what its models cost. */
export interface PricedEntry extends Pick<PricedChannel, 'groups' | 'priority'> {
  readonly key: string
  readonly owner: string
  readonly shown: PriceList[string]
}

interface KnownList {
  readonly version: string
  /** Not the version of the options in the database, which these prices may be older than. */
  readonly overrides: string
  readonly entries: Promise<readonly PricedEntry[]>
}

/**
 * Prices of all enabled channels, by id. Recomputed only when channels or price overrides have changed or a day has begun, so a
 * visitor costs one look at a version number.
 */
export function createPricedEntries(
  deps: Pick<SharedPorts, 'database' | 'kinds' | 'now' | 'options'>,
): () => Promise<readonly PricedEntry[]> {
  const db = deps.database.kysely
  let known: KnownList | undefined

  const load = async (): Promise<readonly PricedEntry[]> =>
    (await listPricedChannels(db)).map((channel) => {
      const owner = deps.kinds.name(channel.type) ?? String(channel.type)
      return {
        groups: channel.groups,
        priority: channel.priority,
        key: `${owner}:${channel.name}`,
        owner,
        shown: {
          channel_name: channel.name,
          channel_type: channel.type,
          models: pricesOf(channel, deps.kinds.prices(channel)),
        },
      }
    })

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

/** Models and prices by channel; of one group, or of every enabled channel for guests. */
export function priceListOf(entries: readonly PricedEntry[], group: string | undefined, keyword: string): PriceList {
  return assemble(reachedBy(entries, group), keyword.toLowerCase())
}

/** The channels of a group; all of them for guests. */
export function reachedBy(entries: readonly PricedEntry[], group: string | undefined): readonly PricedEntry[] {
  return entries.filter(({ groups }) => group === undefined || groups.includes(group))
}

function pricesOf(
  { models }: PricedChannel,
  price: ReturnType<SharedPorts['kinds']['prices']>,
): PriceList[string]['models'] {
  return Object.fromEntries(
    models.flatMap((model) => {
      const shown = price(model)
      return shown === undefined ? [] : [[model, shown] as const]
    }),
  )
}

/** Channels with the same type and name are shown as one. */
function assemble(entries: readonly PricedEntry[], keyword: string): PriceList {
  const list = new Map<string, PriceList[string]>()
  for (const { key, shown } of entries) {
    const found = Object.entries(shown.models).filter(([model]) => model.toLowerCase().includes(keyword))
    if (found.length === 0) continue
    const models = { ...list.get(key)?.models, ...Object.fromEntries(found) }
    list.set(key, { ...shown, models })
  }
  return Object.fromEntries(list)
}
