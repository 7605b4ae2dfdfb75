import type { RequestedTool } from '@sluice/dialects/requested-tools'
import type { TokenCounts, UnitCounts } from '@sluice/dialects/token-counts'
import type { Tooling } from '../channel-fields/tooling.ts'
import { chargeable, outputTokens, promptTokens } from './chargeable.ts'
import type { PicturePrices } from './picture-price.ts'

/** The ledger's unit classes: those that usage readers count, and the cost that providers report, in 10^-9 USD. */
export type UnitClass = keyof UnitCounts | 'reported_nano_usd'
/** 10^-9 quota per unit; a missing class has no price of its own. */
export type UnitRates = { readonly [Class in UnitClass]?: bigint }

/** 10^-9 quota per token by class; fits the ledger's `Rates`. 1 USD per million tokens = 500_000_000n. */
export interface Rates {
  readonly input: bigint
  readonly cachedInput: bigint
  readonly cacheWrite5m: bigint
  readonly cacheWrite1h: bigint
  readonly output: bigint
  readonly units?: UnitRates | undefined
}

/** Rates for large requests: they apply to all tokens of the request, not only to those beyond the threshold. */
export interface Tier {
  /** Applies from this many prompt tokens on, all classes together. */
  readonly fromInput: number
  /** Applies from this many output tokens on, all classes together; 0 matches any answer. */
  readonly fromOutput: number
  readonly rates: Rates
}

/** What a model costs on a channel for a request that starts at a given moment. */
export interface Quote {
  readonly rates: Rates
  /** Rates for large requests; the last matching tier counts. */
  readonly tiers: readonly Tier[]
  /** Most tokens of one choice; undefined when unknown. */
  readonly maxOutput: number | undefined
  /** Context window in tokens; undefined when unknown. */
  readonly context: number | undefined
  /**
   * For the receipt: `book:<version>`, `channel` for a price from the channel's own configuration, `override` for a price override,
   * or `policy:<name>` for a model without a price; then `;window:<name>` if a time window applied.
   */
  readonly source: string
  /** Whether the cost that the provider reports replaces these rates, always or if higher; without a report, the rates apply. */
  readonly charges?: 'reported' | 'at_least_reported'
  /** Held in addition to the worst case, in 10^-9 quota, for tools that the provider runs; see `quoteForTools`. */
  readonly heldForTools?: bigint
  readonly pictures?: PicturePrices
}

/** Counts of classes that all have a rate; fits the ledger's `TokenCounts`. */
export interface PricedCounts extends Omit<TokenCounts, 'units'> {
  readonly units?: { readonly [Class in UnitClass]?: number } | undefined
}

/** The counts to charge, and the rates for a request of this size. */
export interface Priced {
  readonly counts: PricedCounts
  readonly rates: Rates
  /** As in the quote, with `;tier:<thresholds>` before any window when a tier applied. */
  readonly source: string
}

const FREE: Rates = { input: 0n, cachedInput: 0n, cacheWrite5m: 0n, cacheWrite1h: 0n, output: 0n }
/** A dollar is 500,000 quota, so 10^-9 USD is 500,000 × 10^-9 quota. */
const NANO_QUOTA_PER_NANO_USD = 500_000n
const AS_REPORTED: Rates = { ...FREE, units: { reported_nano_usd: NANO_QUOTA_PER_NANO_USD } }

/** The price of a request's usage. `reportedNanoUsd` is the cost that the provider reports. */
export function pricedUsage(quote: Quote, usage: TokenCounts, reportedNanoUsd?: number): Priced {
  if (quote.charges !== undefined && reportedNanoUsd !== undefined) {
    const listed = quote.charges === 'reported' ? undefined : listedUsage(quote, usage)
    if (listed !== undefined && totalOf(listed) >= BigInt(reportedNanoUsd) * NANO_QUOTA_PER_NANO_USD) return listed
    const counts = { ...chargeable(usage, FREE), units: { reported_nano_usd: reportedNanoUsd } }
    const source = listed === undefined ? quote.source : 'policy:reported'
    return { counts, rates: AS_REPORTED, source }
  }
  return listedUsage(quote, usage)
}

function listedUsage(quote: Quote, usage: TokenCounts): Priced {
  const tier = quote.tiers.length === 0 ? undefined : tierOf(quote, promptTokens(usage), outputTokens(usage))
  const rates = tier?.rates ?? quote.rates
  return { counts: chargeable(usage, rates), rates, source: tier === undefined ? quote.source : inTier(quote, tier) }
}

/** In 10^-9 quota. */
function totalOf({ counts, rates }: Priced): bigint {
  const tokens = TOKEN_CLASSES.reduce((sum, name) => sum + BigInt(counts[name]) * rates[name], 0n)
  const units = Object.entries(counts.units ?? {}) as [UnitClass, number][]
  return units.reduce((sum, [name, count]) => sum + BigInt(count) * (rates.units?.[name] ?? 0n), tokens)
}

const TOKEN_CLASSES = ['input', 'cachedInput', 'cacheWrite5m', 'cacheWrite1h', 'output'] as const

export function ratesAt(quote: Quote, prompt: number, output: number): Rates {
  return tierOf(quote, prompt, output)?.rates ?? quote.rates
}

/** The highest rates, by class, that can apply to a request of at most this size: they determine the size of a hold. */
export function dearestRates(quote: Quote, prompt: number, output: number): Rates {
  return quote.tiers
    .filter(({ fromInput, fromOutput }) => prompt >= fromInput && output >= fromOutput)
    .reduce((dearest, { rates }) => dearer(dearest, rates), quote.rates)
}

function tierOf({ tiers }: Quote, prompt: number, output: number): Tier | undefined {
  return tiers.findLast(({ fromInput, fromOutput }) => prompt >= fromInput && output >= fromOutput)
}

function inTier({ source }: Quote, { fromInput, fromOutput }: Tier): string {
  const thresholds = [
    ...(fromInput > 0 ? [`input>=${fromInput}`] : []),
    ...(fromOutput > 0 ? [`output>=${fromOutput}`] : []),
  ]
  const [base, ...window] = source.split(';')
  return [base, `tier:${thresholds.join(',')}`, ...window].join(';')
}

function dearer(a: Rates, b: Rates): Rates {
  const max = (x: bigint, y: bigint): bigint => (x > y ? x : y)
  const rates = {
    input: max(a.input, b.input),
    cachedInput: max(a.cachedInput, b.cachedInput),
    cacheWrite5m: max(a.cacheWrite5m, b.cacheWrite5m),
    cacheWrite1h: max(a.cacheWrite1h, b.cacheWrite1h),
    output: max(a.output, b.output),
  }
  if (a.units === undefined && b.units === undefined) return rates
  const units: { [Class in UnitClass]?: bigint } = { ...a.units }
  for (const [name, rate] of Object.entries(b.units ?? {}) as [UnitClass, bigint][]) {
    units[name] = max(units[name] ?? 0n, rate)
  }
  return { ...rates, units }
}

/** Calls of each tool that a hold covers; further calls are still charged. */
const CALLS_HELD = 5n

/**
 * The quote with the channel's own prices for the tools that a request asks for. Usage counts web searches separately and all other
 * tools together, so the latter all cost as much as the most expensive one requested.
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
