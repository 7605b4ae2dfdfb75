import type { DisplayedModel } from '@sluice/contract/price-list'
import { mapModel, parseModelMapping } from '@sluice/providers/model-mapping'
import { parseModelConfigs } from '@sluice/providers/prices/model-configs'
import { rates } from '@sluice/providers/prices/rates'

/** A rate counts 10^-9 quota per token; a dollar is 500,000 quota; a price is for a million tokens. */
const DOLLARS_PER_RATE = 1_000_000 / 500_000 / 1_000_000_000

/**
 * What the models of a channel cost, as the relay charges them at the group ratio 1: after the channel's mapping, by its own
 * configuration over the price book. Undefined for a model without a price, which cannot be called.
 */
export function displayedPrices(channel: {
  readonly type: number
  readonly modelConfigs: string | null
  readonly modelMapping: string | null
}): (model: string) => DisplayedModel | undefined {
  const configs = parseModelConfigs(channel.modelConfigs)
  const mapping = parseModelMapping(channel.modelMapping)
  // Such a channel is not routed to either.
  if ('problem' in configs || 'problem' in mapping) return () => undefined
  return (model) => {
    const quote = rates(channel.type, mapModel(mapping, model), configs)
    if (quote === 'missing') return undefined
    const price = (rate: bigint): number => Number((Number(rate) * DOLLARS_PER_RATE).toFixed(9))
    return {
      input_price: price(quote.rates.input),
      cached_input_price: price(quote.rates.cachedInput),
      output_price: price(quote.rates.output),
      cache_write_5m_price: price(quote.rates.cacheWrite5m),
      cache_write_1h_price: price(quote.rates.cacheWrite1h),
      max_tokens: quote.maxOutput ?? 0,
      ...(quote.context === undefined ? {} : { context_length: quote.context }),
      image_price: 0,
    }
  }
}
