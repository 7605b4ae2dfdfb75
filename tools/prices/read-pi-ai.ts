import type { PriceRow, TokenPrices } from '@sluice/providers/prices/price-row'
import { text, timesTwo } from './money.ts'

interface PiCost {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

/** A model in pi-ai's data: US dollars per million tokens. A cache price of 0 means none. */
export interface PiModel {
  readonly id: string
  readonly type: string
  readonly contextWindow?: number
  readonly maxTokens?: number
  readonly cost: PiCost & { readonly tiers?: readonly (PiCost & { readonly inputTokensAbove: number })[] }
}

/**
 * The row of a chat model; undefined for other models, and for models without a known price (which pi-ai gives as 0). `isInclusive`
 * if the vendor's higher prices apply from the threshold itself.
 */
export function rowOfPi(
  { id, type, contextWindow, maxTokens, cost }: PiModel,
  isInclusive: boolean,
): PriceRow | undefined {
  const isFree = cost.input === 0 && cost.output === 0
  if (type !== 'chat' || (isFree && !id.endsWith(':free'))) return undefined
  return {
    ...(contextWindow === undefined ? {} : { context: contextWindow }),
    ...(maxTokens === undefined ? {} : { maxOutput: maxTokens }),
    ...pricesOf(id, cost),
    ...(cost.tiers === undefined
      ? {}
      : {
          tiers: cost.tiers.map((tier) => ({
            fromInput: tier.inputTokensAbove + (isInclusive ? 0 : 1),
            ...pricesOf(id, tier),
          })),
        }),
  }
}

function pricesOf(id: string, { input, output, cacheRead, cacheWrite }: PiCost): TokenPrices {
  return {
    input: text(input),
    output: text(output),
    ...(cacheRead === 0 ? {} : { cachedInput: text(cacheRead) }),
    ...(cacheWrite === 0 ? {} : { cacheWrite5m: text(cacheWrite) }),
    // Anthropic's rule for every model: a one-hour cache write costs twice the input.
    ...(cacheWrite !== 0 && id.includes('claude') ? { cacheWrite1h: timesTwo(text(input)) } : {}),
  }
}
