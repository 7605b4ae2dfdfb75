import type { PriceList } from '@sluice/contract/price-list'
import { listPricedChannels, type PricedChannel } from '@sluice/store/queries/channels/channel-display'
import { readVersions } from '@sluice/store/snapshots/versions'
import type { SharedPorts } from '../ports.ts'

/** Announced prices start at the beginning of a day. */
const DAY_MS = 86_400_000

interface PricedEntry extends Pick<PricedChannel, 'groups'> {
  readonly key: string
  readonly shown: PriceList[string]
}

interface KnownList {
  readonly version: string
  /** Not the version of the options in the database, which these prices may be older than. */
  readonly overrides: string
  readonly entries: Promise<readonly PricedEntry[]>
}

/**
 * Models and prices by channel; of one group, or of every enabled channel for guests. Recomputed only when channels or price overrides
 * have changed or a day has begun, so a visitor costs one look at a version number.
 */
export function createPriceList(
  deps: Pick<SharedPorts, 'database' | 'kinds' | 'now' | 'options'>,
): (group: string | undefined, keyword: string) => Promise<PriceList> {
  const db = deps.database.kysely
  let known: KnownList | undefined

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

  return async (group, keyword) => {
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
    const entries = (await known.entries).filter(({ groups }) => group === undefined || groups.includes(group))
    return assemble(entries, keyword.toLowerCase())
  }
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
