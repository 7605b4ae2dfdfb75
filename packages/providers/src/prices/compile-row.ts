import { decimal, divideUp } from './decimal.ts'
import type { ListPrices, PriceRow, TierPrices, TokenPrices, UnitPrices } from './price-row.ts'
import type { Rates, Tier } from './quote.ts'
import type { TimeWindow } from './time-window.ts'

/** Prices of one model at one time, in 10^-9 quota. */
export interface Leaf {
  readonly rates: Rates
  readonly tiers: readonly Tier[]
}

export interface Period {
  /** Unix ms; the first period has always applied. */
  readonly from: number
  readonly usual: Leaf
  readonly windows: readonly WindowLeaf[]
}
export interface WindowLeaf extends Leaf {
  readonly window: TimeWindow
}

const UNITS_PER_PRICE: Readonly<Record<keyof UnitPrices, bigint>> = {
  audio_input: 1_000_000n,
  cached_audio_input: 1_000_000n,
  audio_output: 1_000_000n,
  image_input: 1_000_000n,
  cached_image_input: 1_000_000n,
  image_output: 1_000_000n,
  video_input: 1_000_000n,
  reasoning_output: 1_000_000n,
  call: 1n,
  image: 1n,
  audio_ms: 3_600_000n,
  video_ms: 1_000n,
  character: 1_000_000n,
  page: 1n,
  search: 1n,
  tool_call: 1n,
}
const TOKENS_PER_PRICE = 1_000_000n
export const NANO_QUOTA_PER_DOLLAR = 500_000n * 1_000_000_000n

/** Prices over time, first period first. `yuanPerDollar` is '1' for prices in dollars. */
export function compileRow(row: PriceRow, yuanPerDollar: string): readonly Period[] {
  const period = (prices: ListPrices, from: number): Period => ({
    from,
    usual: compileLeaf(prices, yuanPerDollar),
    windows: (prices.windows ?? []).map((other) => ({
      ...compileLeaf({ ...usualOf(prices), ...other }, yuanPerDollar),
      window: other,
    })),
  })
  return [
    period(row, Number.NEGATIVE_INFINITY),
    ...(row.later ?? []).map((prices) => period(prices, Date.parse(prices.from))),
  ]
}

/** The usual prices that a window inherits where it names none. */
function usualOf({ input, output, units }: ListPrices): ListPrices {
  return {
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    ...(units === undefined ? {} : { units }),
  }
}

function compileLeaf(prices: ListPrices, yuanPerDollar: string): Leaf {
  const rates = compileRates(prices, prices.units, yuanPerDollar)
  const tiers = (prices.tiers ?? []).map((tier) => compileTier(prices, tier, yuanPerDollar))
  return { rates, tiers }
}

function compileTier(usual: ListPrices, tier: TierPrices, yuanPerDollar: string): Tier {
  const { fromInput = 0, fromOutput = 0, units, ...tokens } = tier
  const rates = compileRates({ ...usual, ...tokens }, { ...usual.units, ...units }, yuanPerDollar)
  return { fromInput, fromOutput, rates }
}

function compileRates(prices: TokenPrices, units: UnitPrices | undefined, yuanPerDollar: string): Rates {
  const { input = '0', output = '0' } = prices
  const { cachedInput = input, cacheWrite5m = input } = prices
  const { cacheWrite1h = cacheWrite5m } = prices
  const rate = (text: string): bigint => nanoQuota(text, TOKENS_PER_PRICE, yuanPerDollar)
  const rates = {
    input: rate(input),
    cachedInput: rate(cachedInput),
    cacheWrite5m: rate(cacheWrite5m),
    cacheWrite1h: rate(cacheWrite1h),
    output: rate(output),
  }
  const others = Object.entries(units ?? {}).map(
    ([name, text]) => [name, nanoQuota(text, UNITS_PER_PRICE[name as keyof UnitPrices], yuanPerDollar)] as const,
  )
  if (others.length === 0) return rates
  return { ...rates, units: Object.fromEntries(others) }
}

/** Money for `per` units, as 10^-9 quota per unit, rounded up. */
function nanoQuota(text: string, per: bigint, yuanPerDollar: string): bigint {
  const price = decimal(text)
  const divisor = decimal(yuanPerDollar)
  if (price === undefined || divisor === undefined) throw new Error(`not a price: ${text}`)
  return divideUp(
    price.digits * NANO_QUOTA_PER_DOLLAR * 10n ** BigInt(divisor.scale),
    divisor.digits * per * 10n ** BigInt(price.scale),
  )
}
