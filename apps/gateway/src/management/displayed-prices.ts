import type { DisplayedModel, DisplayedPrices } from '@sluice/contract/price-list'
import { capabilitiesOf } from '@sluice/providers/capabilities/capabilities'
import { mapModel, parseModelMapping } from '@sluice/providers/model-mapping'
import { retirementOf } from '@sluice/providers/prices/book'
import type { ModelConfigs } from '@sluice/providers/prices/model-config'
import { parseModelConfigs } from '@sluice/providers/prices/model-configs'
import type { Quote, Rates } from '@sluice/providers/prices/quote'
import { modelPrice, quotesAround } from '@sluice/providers/prices/rates'

/** Converts 10^-9 quota to dollars, at the fixed 500,000 quota per dollar. */
const DOLLARS_PER_RATE = 1 / 500_000 / 1_000_000_000
const MILLION = 1_000_000

/**
 * Abilities and prices of a channel's models at a time in unix ms, as the relay charges them at group ratio 1: after the channel's
 * mapping; the channel's configuration overrides the price overrides, which override the price book. Undefined for a model without
 * a price.
 */
export function createDisplayedPrices(
  channel: {
    readonly type: number
    readonly modelConfigs: string | null
    readonly modelMapping: string | null
  },
  at: number,
  overrides: ModelConfigs,
): (model: string) => DisplayedModel | undefined {
  const configs = parseModelConfigs(channel.modelConfigs)
  const mapping = parseModelMapping(channel.modelMapping)
  // The relay does not route to such a channel either.
  if ('problem' in configs || 'problem' in mapping) return () => undefined
  return (model) => {
    const upstream = mapModel(mapping, model)
    const price = modelPrice(channel.type, upstream, configs, overrides)
    if (price === 'missing') return undefined
    const { usual, windows } = quotesAround(price, at)
    const endsOn = retirementOf(channel.type, upstream, at)
    return {
      ...pricesOf(usual.rates),
      max_tokens: usual.maxOutput ?? 0,
      ...(usual.context === undefined ? {} : { context_length: usual.context }),
      ...(endsOn === undefined ? {} : { ends_on: endsOn }),
      image_price: dollars(usual.rates.units?.image ?? 0n, 1),
      capabilities: capabilitiesOf(upstream, channel.type),
      ...tiersOf(usual),
      ...(windows.length === 0
        ? {}
        : { time_windows: windows.map(({ name, quote }) => ({ name, ...pricesOf(quote.rates), ...tiersOf(quote) })) }),
    }
  }
}

function tiersOf({ tiers }: Quote): { readonly tiers?: DisplayedModel['tiers'] } {
  if (tiers.length === 0) return {}
  return {
    tiers: tiers.map(({ fromInput, fromOutput, rates }) => ({
      input_token_threshold: fromInput,
      output_token_threshold: fromOutput,
      ...pricesOf(rates),
    })),
  }
}

function pricesOf({ units, ...rates }: Rates): DisplayedPrices {
  const others = Object.entries(units ?? {})
  return {
    input_price: dollars(rates.input, MILLION),
    cached_input_price: dollars(rates.cachedInput, MILLION),
    output_price: dollars(rates.output, MILLION),
    cache_write_5m_price: dollars(rates.cacheWrite5m, MILLION),
    cache_write_1h_price: dollars(rates.cacheWrite1h, MILLION),
    ...(others.length === 0
      ? {}
      : { unit_prices: Object.fromEntries(others.map(([name, rate]) => [name, dollars(rate, MILLION)])) }),
  }
}

/** Dollars for `count` units, without floating-point noise. */
function dollars(rate: bigint, count: number): number {
  return Number((Number(rate) * DOLLARS_PER_RATE * count).toPrecision(12))
}
