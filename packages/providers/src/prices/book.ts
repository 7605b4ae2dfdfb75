import { ANTHROPIC_PRICES } from './book/anthropic.ts'
import { GOOGLE_PRICES } from './book/google.ts'
import { OPENAI_PRICES } from './book/openai.ts'
import {
  DEEPSEEK_PRICES,
  GROQ_PRICES,
  MINIMAX_PRICES,
  MISTRAL_PRICES,
  MOONSHOT_PRICES,
  XAI_PRICES,
  ZHIPU_PRICES,
} from './book/other-vendors.ts'
import {
  BAICHUAN_PRICES,
  BAIDU_PRICES,
  BAILIAN_DEEPSEEK_PRICES,
  BAILIAN_PRICES,
  STEPFUN_PRICES,
  TENCENT_PRICES,
  VOLCANO_DEEPSEEK_PRICES,
  VOLCANO_PRICES,
  YI_PRICES,
  YUAN_PER_DOLLAR,
  ZHINAO_PRICES,
} from './book/yuan.ts'
import { decimal, divideUp } from './decimal.ts'
import type { PriceRow, PriceTable } from './price-row.ts'
import type { Rates, Tier } from './quote.ts'

/** Day the prices were gathered; part of every receipt. Change it with any price. */
export const BOOK_VERSION = '2026-11-20'

export interface BookEntry {
  readonly model: string
  readonly rates: Rates
  readonly tiers: readonly Tier[]
  readonly row: PriceRow
}

/** One vendor's prices and the channel kinds that sell at them, the vendor's own kind first. */
interface Vendor {
  readonly kinds: readonly number[]
  readonly prices: PriceTable
  readonly currency: 'USD' | 'CNY'
  /** Another vendor's models at a price of its own: holds for these kinds and no other. */
  readonly resold?: true
}

const VENDORS: readonly Vendor[] = [
  { kinds: [1, 2, 3, 4, 5, 6, 7, 9, 10, 12, 13], prices: OPENAI_PRICES, currency: 'USD' },
  { kinds: [14, 42], prices: ANTHROPIC_PRICES, currency: 'USD' },
  { kinds: [24, 11, 42, 51], prices: GOOGLE_PRICES, currency: 'USD' },
  { kinds: [36], prices: DEEPSEEK_PRICES, currency: 'USD' },
  { kinds: [25], prices: MOONSHOT_PRICES, currency: 'USD' },
  { kinds: [16], prices: ZHIPU_PRICES, currency: 'USD' },
  { kinds: [45], prices: XAI_PRICES, currency: 'USD' },
  { kinds: [27], prices: MINIMAX_PRICES, currency: 'USD' },
  { kinds: [28], prices: MISTRAL_PRICES, currency: 'USD' },
  { kinds: [29], prices: GROQ_PRICES, currency: 'USD' },
  { kinds: [17, 49], prices: BAILIAN_PRICES, currency: 'CNY' },
  { kinds: [17, 49], prices: BAILIAN_DEEPSEEK_PRICES, currency: 'CNY', resold: true },
  { kinds: [40], prices: VOLCANO_PRICES, currency: 'CNY' },
  { kinds: [40], prices: VOLCANO_DEEPSEEK_PRICES, currency: 'CNY', resold: true },
  { kinds: [23], prices: TENCENT_PRICES, currency: 'CNY' },
  { kinds: [15, 47], prices: BAIDU_PRICES, currency: 'CNY' },
  { kinds: [19], prices: ZHINAO_PRICES, currency: 'CNY' },
  { kinds: [26], prices: BAICHUAN_PRICES, currency: 'CNY' },
  { kinds: [32], prices: STEPFUN_PRICES, currency: 'CNY' },
  { kinds: [31], prices: YI_PRICES, currency: 'CNY' },
]

/** Kinds that stand in front of anything: they know every vendor's models. */
const OPEN_KINDS: readonly number[] = [8, 50]

const NANO_PER_DOLLAR_MILLION = 500_000_000n

/** The model's list price on this kind: the kind's own price, else its vendor's. Exact name. */
export function bookEntry(kindCode: number, model: string): BookEntry | undefined {
  return OWN.get(kindCode)?.get(model) ?? GENERAL.get(model)
}

/** The kind of the vendor that a model comes from. */
export function vendorKind(model: string): number | undefined {
  return VENDORS.find(({ resold, prices }) => resold === undefined && Object.hasOwn(prices, model))?.kinds[0]
}

/** Every model that the book knows this kind to sell. */
export function bookEntries(kindCode: number): readonly BookEntry[] {
  const entries = OPEN_KINDS.includes(kindCode) ? GENERAL : OWN.get(kindCode)
  return entries === undefined ? [] : [...entries.values()]
}

/** A price that keeps its proportion when the input price changes from `from` to `to`; rounded up. */
export function inProportion(price: bigint, from: bigint, to: bigint): bigint {
  return from === 0n ? to : divideUp(price * to, from)
}

function compile(model: string, row: PriceRow, currency: 'USD' | 'CNY'): BookEntry {
  const rate = (text: string): bigint => nanoPerToken(text, currency)
  const cacheWrite5m = rate(row.cacheWrite5m ?? row.input)
  const rates: Rates = {
    input: rate(row.input),
    cachedInput: rate(row.cachedInput ?? row.input),
    cacheWrite5m,
    cacheWrite1h: row.cacheWrite1h === undefined ? cacheWrite5m : rate(row.cacheWrite1h),
    output: rate(row.output),
  }
  if (row.above === undefined) return { model, rates, tiers: [], row }
  const input = rate(row.above.input)
  const long = { ...scaleInput(rates, input), output: rate(row.above.output) }
  return { model, rates, tiers: [{ fromInput: row.above.tokens + 1, fromOutput: 0, rates: long }], row }
}

/** The rates with another input price; the cache prices move with it, the output price stays. */
export function scaleInput(rates: Rates, input: bigint): Rates {
  return {
    input,
    cachedInput: inProportion(rates.cachedInput, rates.input, input),
    cacheWrite5m: inProportion(rates.cacheWrite5m, rates.input, input),
    cacheWrite1h: inProportion(rates.cacheWrite1h, rates.input, input),
    output: rates.output,
  }
}

/** Money per million tokens as 10^-9 quota per token; yuan round up. */
function nanoPerToken(text: string, currency: 'USD' | 'CNY'): bigint {
  const price = decimal(text)
  const divisor = decimal(currency === 'CNY' ? YUAN_PER_DOLLAR : '1')
  if (price === undefined || divisor === undefined) throw new Error(`not a price: ${text}`)
  return divideUp(
    price.digits * NANO_PER_DOLLAR_MILLION * 10n ** BigInt(divisor.scale),
    divisor.digits * 10n ** BigInt(price.scale),
  )
}

function buildGeneral(): ReadonlyMap<string, BookEntry> {
  const sellers = VENDORS.filter((vendor) => vendor.resold === undefined)
  return new Map(sellers.flatMap(compileVendor))
}

function buildOwn(): ReadonlyMap<number, ReadonlyMap<string, BookEntry>> {
  const codes = new Set(VENDORS.flatMap((vendor) => vendor.kinds))
  return new Map(
    [...codes].map((code) => [
      code,
      new Map(VENDORS.filter((vendor) => vendor.kinds.includes(code)).flatMap(compileVendor)),
    ]),
  )
}

function compileVendor({ prices, currency }: Vendor): [string, BookEntry][] {
  return Object.entries(prices).map(([model, row]) => [model, compile(model, row, currency)])
}

const GENERAL = buildGeneral()
const OWN = buildOwn()
