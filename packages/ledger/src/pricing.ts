import { encodeUnits, UNIT_CLASSES, type UnitCounts, type UnitRates } from './unit-class.ts'
import { type Mq, mq } from './units.ts'

/** Price of one token by class, in 10^-9 quota points. Zero is free, never "unknown". */
export interface Rates {
  readonly input: bigint
  readonly cachedInput: bigint
  readonly cacheWrite5m: bigint
  readonly cacheWrite1h: bigint
  readonly output: bigint
  /** Prices of everything that is not a text token. */
  readonly units?: UnitRates | undefined
}

/** The rates and group ratio of a charge; immutable once used, stored by content. */
export interface Price {
  readonly rates: Rates
  /** Group ratio in millionths: 1_000_000n charges the list price. */
  readonly groupRatio: bigint
  /**
   * Where the rates came from, for the receipt: `book:<version>`, `channel:<id>` or `override`, then `;tier:<description>` and
   * `;window:<name>` when rates other than the usual ones applied.
   */
  readonly source: string
}

/** Tokens by price class. Classes are disjoint: `input` excludes cached and cache-write tokens. */
export interface TokenCounts {
  readonly input: number
  readonly cachedInput: number
  readonly cacheWrite5m: number
  readonly cacheWrite1h: number
  /** Includes reasoning, unless that is priced separately. */
  readonly output: number
  /** Part of `output`; for display only. */
  readonly reasoning: number
  /** Everything else that was used. Each class needs a rate in the price. */
  readonly units?: UnitCounts | undefined
}

/** The key under which a price is stored: prices that charge the same share it. */
export function priceContent({ rates, groupRatio, source }: Price): string {
  const tokens = `${rates.input}|${rates.cachedInput}|${rates.cacheWrite5m}|${rates.cacheWrite1h}|${rates.output}`
  const units = encodeUnits(rates.units)
  return units === null ? `${tokens}|${groupRatio}|${source}` : `${tokens}|${units}|${groupRatio}|${source}`
}

/** 10^-9 quota × 10^-6 ratio = 10^-15 quota; one mq is 10^-3 quota. */
export const ATOMS_PER_MQ = 1_000_000_000_000n

/** Σ count × rate × group ratio, rounded up once to one mq. Throws for a unit without a rate, which is a bug in the caller. */
export function charge(tokens: TokenCounts, price: Price): Mq {
  const { rates, groupRatio } = price
  const list =
    BigInt(tokens.input) * rates.input +
    BigInt(tokens.cachedInput) * rates.cachedInput +
    BigInt(tokens.cacheWrite5m) * rates.cacheWrite5m +
    BigInt(tokens.cacheWrite1h) * rates.cacheWrite1h +
    BigInt(tokens.output) * rates.output
  const units = tokens.units === undefined ? 0n : listPriceOfUnits(tokens.units, rates.units)
  return mq(((list + units) * groupRatio + ATOMS_PER_MQ - 1n) / ATOMS_PER_MQ)
}

/**
 * How much more the same tokens would have cost without a cache: cached tokens × (full − cached price), at the price of the charge.
 * Charge and saving add up to the charge at the full price, up to `SAVED_MAX`. Never negative: a cache that costs more saves
 * nothing. Cached audio and pictures are units and not counted here.
 */
export function savedByCache(tokens: TokenCounts, price: Price): Mq {
  if (tokens.cachedInput === 0 || price.rates.cachedInput >= price.rates.input) return mq(0n)
  const uncached = { ...tokens, input: tokens.input + tokens.cachedInput, cachedInput: 0 }
  const saved = charge(uncached, price) - charge(tokens, price)
  return mq(saved < SAVED_MAX ? saved : SAVED_MAX)
}

/** Over 2,000 dollars at the default rate; millions of such values fit into a 64-bit sum, which no other rule keeps in range. */
const SAVED_MAX = 2n ** 40n

function listPriceOfUnits(counts: UnitCounts, rates: UnitRates = {}): bigint {
  let total = 0n
  for (const name of UNIT_CLASSES) {
    const count = counts[name]
    if (count === undefined) continue
    const rate = rates[name]
    if (rate === undefined) throw new Error(`no price for ${name}`)
    total += BigInt(count) * rate
  }
  return total
}
