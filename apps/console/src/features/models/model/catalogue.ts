import type { DisplayedModel, DisplayedPrices, PriceList } from '@sluice/contract/price-list'

export interface ModelEntry {
  readonly name: string
  readonly prices: DisplayedModel & DisplayedPrices
}

export interface ModelGroup {
  /** `{channel type}:{channel name}`, as the gateway keys it. */
  readonly key: string
  /** The part of the key after the first colon. */
  readonly label: string
  /** The part of the key before the first colon: the provider. */
  readonly provider: string
  readonly models: readonly ModelEntry[]
}

/** In display order: groups as the gateway lists them, models by name. With `served`, only channels that serve that group. */
export function catalogueOf(list: PriceList, served = ''): readonly ModelGroup[] {
  const byName = new Intl.Collator('en', { numeric: true })
  const channels = Object.entries(list).filter(([, { groups }]) => served === '' || groups.includes(served))
  return channels.map(([key, { models }]) => {
    const colon = key.indexOf(':')
    return {
      key,
      label: key.slice(colon + 1),
      provider: colon === -1 ? '' : key.slice(0, colon),
      models: Object.entries(models)
        .map(([name, prices]) => ({
          name,
          prices: { ...prices, cached_input_price: prices.cached_input_price ?? prices.input_price },
        }))
        .toSorted((a, b) => byName.compare(a.name, b.name)),
    }
  })
}

export interface ModelFilter {
  /** The model name must contain all of these words, ignoring case. */
  readonly keyword: string
  /** Keys of groups; an empty list means all. */
  readonly channels: readonly string[]
}

/** Leaves out groups without a matching model. */
export function filteredCatalogue(
  groups: readonly ModelGroup[],
  { keyword, channels }: ModelFilter,
): readonly ModelGroup[] {
  const words = keyword.toLowerCase().split(/\s+/).filter(Boolean)
  const known = new Set(groups.map(({ key }) => key))
  // A channel that no longer exists, from an old address, must not hide everything.
  const wanted = channels.filter((key) => known.has(key))
  return groups
    .filter(({ key }) => wanted.length === 0 || wanted.includes(key))
    .map((group) => {
      if (words.length === 0) return group
      const models = group.models.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
      return { ...group, models }
    })
    .filter(({ models }) => models.length > 0)
}

export interface Offer {
  readonly group: ModelGroup
  readonly model: ModelEntry
}

/** Every channel group that has the model, the wanted one first. */
export function offersOf(groups: readonly ModelGroup[], name: string, wanted: string | undefined): readonly Offer[] {
  const offers = groups.flatMap((group) => {
    const model = group.models.find((entry) => entry.name === name)
    return model === undefined ? [] : [{ group, model }]
  })
  return offers.toSorted((a, b) => Number(b.group.key === wanted) - Number(a.group.key === wanted))
}
