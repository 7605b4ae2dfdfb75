import type { RequestedTool } from '@sluice/dialects/requested-tools'
import type { Tooling } from '../channel-fields/tooling.ts'
import type { Quote, Rates, UnitRates } from './quote.ts'

/** Calls of each tool that a hold covers: calls beyond them are still charged. */
const CALLS_HELD = 5n

/**
 * The quote with the channel's own prices for the tools that a request asks for. Usage counts web searches separately and all other
 * tools together, so among the latter the most expensive one requested decides.
 */
export function quoteForTools(quote: Quote, { prices }: Tooling, tools: readonly RequestedTool[]): Quote {
  const units: { search?: bigint; tool_call?: bigint } = {}
  for (const name of new Set(tools.map((tool) => tool.name))) {
    const price = prices.get(name)
    if (price === undefined) continue
    const unit = name === 'web_search' || name === 'x_search' ? 'search' : 'tool_call'
    units[unit] = units[unit] === undefined || price > units[unit] ? price : units[unit]
  }
  const own: UnitRates = units
  if (Object.keys(own).length === 0) return quote
  const apply = (rates: Rates): Rates => ({ ...rates, units: { ...rates.units, ...own } })
  return {
    ...quote,
    rates: apply(quote.rates),
    tiers: quote.tiers.map((tier) => ({ ...tier, rates: apply(tier.rates) })),
    heldForTools: ((units.search ?? 0n) + (units.tool_call ?? 0n)) * CALLS_HELD,
  }
}
