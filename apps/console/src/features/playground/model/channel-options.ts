import type { PriceList } from '@sluice/contract/price-list'

/** Maximum number of channels suggested at a time. */
export const MOST_CHANNEL_SUGGESTIONS = 12

/** A channel whose models can be asked. */
export interface ChannelOption {
  /** `{channel type}:{channel name}`, as the gateway keys it. */
  readonly key: string
  /** The part of the key after the first colon. */
  readonly label: string
  /** The part before it. */
  readonly provider: string
  readonly models: ReadonlySet<string>
}

/** The channels in the order in which the gateway lists them. */
export function channelOptions(list: PriceList): readonly ChannelOption[] {
  return Object.entries(list).map(([key, { models }]) => {
    const colon = key.indexOf(':')
    return {
      key,
      label: key.slice(colon + 1),
      provider: colon === -1 ? '' : key.slice(0, colon),
      models: new Set(Object.keys(models)),
    }
  })
}

/** The first names of a list, and how many were left out, in the words of `more`. */
export function listedNames(names: readonly string[], most: number, more: (count: number) => string): string {
  const shown = names.slice(0, most).join(', ')
  return names.length > most ? `${shown} ${more(names.length - most)}` : shown
}
