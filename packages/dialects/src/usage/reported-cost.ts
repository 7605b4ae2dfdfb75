import { asObject, type JsonObject } from '../json-value.ts'

/** The highest believable cost of a call, in nano-dollars: a thousand dollars. */
const COST_LIMIT = 1_000_000_000_000

/**
 * The cost that a provider's usage object states, in 10^-9 USD, or undefined. Known: `cost_in_usd_ticks` (xAI, 10^-10 USD), `cost`
 * (OpenRouter, whose credits are dollars), `cost.total_cost` (Perplexity), `estimated_cost` (DeepInfra). An OpenRouter user with
 * their own vendor key also pays the vendor: `cost_details.upstream_inference_cost` is added then.
 */
export function nanoUsdOf(usage: JsonObject): number | undefined {
  const ticks = usage['cost_in_usd_ticks']
  if (typeof ticks === 'number') return believable(Math.ceil(ticks / 10))
  const perplexity = asObject(usage['cost'])
  if (perplexity !== undefined) return nanoUsd(perplexity['total_cost'])
  const cost = nanoUsd(usage['cost'])
  if (cost !== undefined && usage['is_byok'] === true) {
    return believable(cost + (nanoUsd(asObject(usage['cost_details'])?.['upstream_inference_cost']) ?? 0))
  }
  return cost ?? nanoUsd(usage['estimated_cost'])
}

/** Rounds to the nearest nano-dollar: the numbers are floating-point sums, whose last digits are meaningless. */
function nanoUsd(dollars: unknown): number | undefined {
  return typeof dollars === 'number' ? believable(Math.round(dollars * 1e9)) : undefined
}

function believable(nano: number): number | undefined {
  return nano >= 0 && nano <= COST_LIMIT ? nano : undefined
}
