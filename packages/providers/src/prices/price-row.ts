import type { UnitClass } from './quote.ts'
import type { TimeWindow } from './time-window.ts'

/** Money per million text tokens, as decimal text. */
export interface TokenPrices {
  readonly input?: string
  readonly output?: string
  /** Default: the input price. */
  readonly cachedInput?: string
  /** Default: the input price. */
  readonly cacheWrite5m?: string
  /** Default: the five-minute price. */
  readonly cacheWrite1h?: string
}

/** Decimal text: tokens and characters per million, `audio_ms` per hour, `video_ms` per second, all others per unit. */
export type UnitPrices = { readonly [Class in Exclude<UnitClass, 'reported_nano_usd'>]?: string }

/** Higher or lower prices for large requests; absent members cost the usual price. */
export interface TierPrices extends TokenPrices {
  /** Applies from this many prompt tokens on. */
  readonly fromInput?: number
  /** Applies from this many output tokens on. */
  readonly fromOutput?: number
  readonly units?: UnitPrices
}

/** List prices for a period. A model without a token price is priced by its units alone. */
export interface ListPrices extends TokenPrices {
  readonly units?: UnitPrices
  /** The last matching tier counts. */
  readonly tiers?: readonly TierPrices[]
  /** Prices at certain times, by the start of a request; the first matching window counts. */
  readonly windows?: readonly (TimeWindow & Omit<ListPrices, 'windows'>)[]
}

export interface PriceRow extends ListPrices {
  /** In tokens. */
  readonly context?: number
  /** In tokens per answer. */
  readonly maxOutput?: number
  /** Announced prices: they replace all of the above from the beginning of a day, YYYY-MM-DD in UTC. */
  readonly later?: readonly (ListPrices & { readonly from: string })[]
  /** How size and quality change a picture's price, which is for the defaults. */
  readonly pictures?: {
    readonly defaultSize: string
    readonly defaultQuality: string
    /** Quality → size → multiple as decimal text. */
    readonly multiples: Readonly<Record<string, Readonly<Record<string, string>>>>
  }
  /** Day of shutdown at the vendor, YYYY-MM-DD. The row stays for resellers and old logs. */
  readonly retires?: string
  /** The call that uses the model; default chat completions. */
  readonly use?: ModelUse
}

export type ModelUse =
  | 'responses'
  | 'embeddings'
  | 'image'
  | 'speech'
  | 'transcription'
  | 'video'
  | 'realtime'
  | 'rerank'
  | 'ocr'
  | 'classifier'

export type PriceTable = Readonly<Record<string, PriceRow>>

export interface Seller {
  /** Channel kinds that sell at these prices, the vendor's own first. */
  readonly kinds: readonly number[]
  readonly currency: 'USD' | 'CNY'
  /** True for other vendors' models: the prices then apply only to these kinds. */
  readonly resold?: boolean
  readonly models: PriceTable
}

/** All list prices as known on one day. A released version never changes. */
export interface PriceBook {
  /** The day, YYYY-MM-DD; part of every receipt. */
  readonly version: string
  /** Yuan per US dollar, for prices in yuan. */
  readonly yuanPerDollar: string
  readonly sources: readonly string[]
  /** In search order. */
  readonly sellers: readonly Seller[]
}
