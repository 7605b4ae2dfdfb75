import { bookEntry } from './book.ts'
import { type Decimal, decimalOfNumber, multiply } from './decimal.ts'
import { parseModelConfigs } from './model-configs.ts'
import { NO_OVERRIDES } from './price-overrides.ts'
import type { Rates } from './quote.ts'
import { modelPrice, quotesAround } from './rates.ts'

type Numbers = ReadonlyMap<string, number>

/** The price options of a gateway of the family, by model; absent if the gateway has no such option. */
export interface FamilyRatios {
  /** Quota points per prompt token; 1 is 2 USD per million tokens. */
  readonly modelRatio?: Numbers
  /** Answer-token price as a multiple of the prompt price. */
  readonly completionRatio?: Numbers
  /** Multiple for cached tokens; new-api charges the full price for unlisted models. */
  readonly cacheRatio?: Numbers
  readonly createCacheRatio?: Numbers
  /** USD per call, in place of all ratios. */
  readonly modelPrice?: Numbers
}

/** An entry of the option `PriceOverrides`, in the grammar of `model_configs`. */
export interface FamilyEntry {
  readonly ratio?: number
  readonly completion_ratio?: number
  readonly cached_input_ratio?: number
  readonly cache_write_5m_ratio?: number
  readonly cache_write_1h_ratio?: number
  readonly per_call?: { readonly usd_per_thousand_calls: number; readonly only: true }
  readonly image?: { readonly price_per_image_usd: number }
}

/** Why a model got no entry: an invalid or excessive number, or a book price per piece, which a ratio cannot express. */
export interface LeftPrice {
  readonly model: string
  readonly field: keyof FamilyRatios
  readonly reason: 'not_a_price' | 'sold_by_piece'
}

export interface FamilyPrices {
  readonly entries: ReadonlyMap<string, FamilyEntry>
  readonly left: readonly LeftPrice[]
}

/** No kind: the price is that of the model's vendor. */
const VENDOR = 0
/** As in the grammar of `model_configs`. */
const LIMIT = 1_000_000
const THOUSAND: Decimal = { digits: 1_000n, scale: 0 }
/** In new-api, a one-hour cache entry costs 6 / 3.75 times as much as a five-minute one. */
const HOUR: Decimal = { digits: 16n, scale: 1 }

/**
 * Converts prices of a gateway of the family to price overrides. A price per call takes precedence over ratios; for models that the
 * book knows as image models, it is the price per picture, as at that gateway. Prices that no option names stay in proportion to
 * the price book.
 */
export function familyPrices(from: FamilyRatios): FamilyPrices {
  const entries = new Map<string, FamilyEntry>()
  const left: LeftPrice[] = []
  for (const model of new Set([...(from.modelPrice?.keys() ?? []), ...(from.modelRatio?.keys() ?? [])])) {
    const made = from.modelPrice?.has(model) === true ? entryOfCall(model, from) : entryOfRatios(model, from)
    if ('reason' in made) left.push(made)
    else entries.set(model, made)
  }
  return { entries, left }
}

function entryOfCall(model: string, { modelPrice: prices }: FamilyRatios): FamilyEntry | LeftPrice {
  const usd = decimalOfNumber(prices?.get(model) ?? Number.NaN)
  const perThousand = usd === undefined ? Infinity : numberOf(multiply(usd, THOUSAND))
  if (usd === undefined || perThousand > LIMIT) return { model, field: 'modelPrice', reason: 'not_a_price' }
  if (bookEntry(VENDOR, model)?.row.use === 'image' && usd.digits > 0n) {
    return { ratio: 0, completion_ratio: 0, image: { price_per_image_usd: numberOf(usd) } }
  }
  return { per_call: { usd_per_thousand_calls: perThousand, only: true } }
}

function entryOfRatios(model: string, from: FamilyRatios): FamilyEntry | LeftPrice {
  const row = bookEntry(VENDOR, model)?.row
  if (row !== undefined && row.input === undefined && row.units !== undefined) {
    return { model, field: 'modelRatio', reason: 'sold_by_piece' }
  }
  const wrong = (field: keyof FamilyRatios): LeftPrice => ({ model, field, reason: 'not_a_price' })
  const read = (field: keyof FamilyRatios): Decimal | undefined =>
    decimalOfNumber(from[field]?.get(model) ?? Number.NaN)
  const ratio = read('modelRatio')
  if (ratio === undefined || numberOf(ratio) > LIMIT) return wrong('modelRatio')
  const odd = MULTIPLES.find((field) => from[field]?.has(model) === true && !isMultipleOf(ratio, read(field)))
  if (odd !== undefined) return wrong(odd)
  const completion = read('completionRatio')
  const cached = read('cacheRatio') ?? (from.cacheRatio === undefined ? undefined : ONE)
  const written = read('createCacheRatio')
  return {
    ratio: numberOf(ratio),
    ...(completion === undefined ? {} : { completion_ratio: numberOf(completion) }),
    ...(cached === undefined ? {} : { cached_input_ratio: orFree(multiply(ratio, cached)) }),
    ...(written === undefined
      ? {}
      : {
          cache_write_5m_ratio: orFree(multiply(ratio, written)),
          cache_write_1h_ratio: orFree(multiply(multiply(ratio, written), HOUR)),
        }),
  }
}

const MULTIPLES = ['completionRatio', 'cacheRatio', 'createCacheRatio'] as const
const ONE: Decimal = { digits: 1n, scale: 0 }

function isMultipleOf(ratio: Decimal, multiple: Decimal | undefined): boolean {
  return (
    multiple !== undefined && Math.max(numberOf(multiple), numberOf(multiply(multiply(ratio, multiple), HOUR))) <= LIMIT
  )
}

/** For cached-token prices, where the grammar reads 0 as "not set" and a negative number as free. */
const orFree = (price: Decimal): number => (price.digits === 0n ? -1 : numberOf(price))

/** The nearest number; up to 15 digits, its text is the same decimal. */
const numberOf = ({ digits, scale }: Decimal): number => Number(`${digits}e-${scale}`)

export type PriceDifference =
  | { readonly outcome: 'unknown' }
  /** One price is per call or picture, the other per token. */
  | { readonly outcome: 'other_units' }
  /** The largest relative difference, as a fraction of the book's price (infinite if that is 0), and its class. */
  | { readonly outcome: 'compared'; readonly fraction: number; readonly of: ComparedClass }

type ComparedClass = Exclude<keyof Rates, 'units'> | 'call' | 'image'

/**
 * How far an entry's price is from the price book's on a channel of this kind (0: at the model's vendor), for a request of usual
 * size at this time (unix ms), outside time windows. Cache writes count if the entry sets their price.
 */
export function priceDifference(model: string, entry: FamilyEntry, at: number, kindCode = VENDOR): PriceDifference {
  const configs = parseModelConfigs(JSON.stringify({ [model]: entry }))
  const list = modelPrice(kindCode, model, NO_OVERRIDES)
  if (list === 'missing' || 'problem' in configs) return { outcome: 'unknown' }
  const own = modelPrice(kindCode, model, NO_OVERRIDES, configs)
  if (own === 'missing') return { outcome: 'unknown' }
  const [ours, theirs] = [quotesAround(list, at).usual.rates, quotesAround(own, at).usual.rates]
  if (unitOf(ours) !== unitOf(theirs)) return { outcome: 'other_units' }
  const compared = classesOf(entry).map((name) => ({
    of: name,
    fraction: relative(rateOf(ours, name), rateOf(theirs, name)),
  }))
  const worst = compared.reduce((a, b) => (b.fraction > a.fraction ? b : a))
  return { outcome: 'compared', ...worst }
}

function classesOf({ cache_write_5m_ratio: written }: FamilyEntry): readonly [ComparedClass, ...ComparedClass[]] {
  const writes = written === undefined ? [] : (['cacheWrite5m', 'cacheWrite1h'] as const)
  return ['input', 'cachedInput', 'output', ...writes, 'call', 'image']
}

const rateOf = (rates: Rates, name: ComparedClass): bigint =>
  name === 'call' || name === 'image' ? (rates.units?.[name] ?? 0n) : rates[name]

function unitOf(rates: Rates): 'token' | 'call' | 'image' {
  if (rates.input > 0n || rates.output > 0n) return 'token'
  if (rates.units?.call !== undefined) return 'call'
  return rates.units?.image === undefined ? 'token' : 'image'
}

function relative(listed: bigint, own: bigint): number {
  if (listed === own) return 0
  return Math.abs(Number(own) / Number(listed) - 1)
}
