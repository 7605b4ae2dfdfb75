import type { UnitClass } from './quote.ts'
import type { TimeWindow } from './time-window.ts'

/** Prices of text tokens: money per million as decimal text. */
export interface TokenPrices {
  readonly input?: string
  readonly output?: string
  /** Absent: the input price. */
  readonly cachedInput?: string
  /** Absent: the input price. */
  readonly cacheWrite5m?: string
  /** Absent: the five-minute price. */
  readonly cacheWrite1h?: string
}

/**
 * Prices of everything else as decimal text: tokens and characters per million, `audio_ms` per hour, `video_ms` per second, all
 * others per unit.
 */
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
  /** The last one that matches counts. */
  readonly tiers?: readonly TierPrices[]
  /** Other prices at certain times, chosen by the start of a request; the first that applies counts. */
  readonly windows?: readonly (TimeWindow & Omit<ListPrices, 'windows'>)[]
}

/** The book's entry for one model. */
export interface PriceRow extends ListPrices {
  /** Context window in tokens. */
  readonly context?: number
  /** The largest number of tokens that one answer can have. */
  readonly maxOutput?: number
  /** Announced prices: they replace all of the above from the beginning of a day, YYYY-MM-DD in UTC. */
  readonly later?: readonly (ListPrices & { readonly from: string })[]
  /** How size and quality change the price of a picture, which is given for the defaults. */
  readonly pictures?: {
    readonly defaultSize: string
    readonly defaultQuality: string
    /** Quality → size → multiple as decimal text. */
    readonly multiples: Readonly<Record<string, Readonly<Record<string, string>>>>
  }
  /** Day of shutdown at the vendor, YYYY-MM-DD. The row stays: resellers and old logs still need it. */
  readonly retires?: string
  /** The call through which the model is used; chat completions when absent. */
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

/** Model name → prices. */
export type PriceTable = Readonly<Record<string, PriceRow>>

/** A seller with its models and prices. */
export interface Seller {
  /** Channel kinds that sell at these prices, the vendor's own kind first. */
  readonly kinds: readonly number[]
  readonly currency: 'USD' | 'CNY'
  /** True for other vendors' models: the prices then apply only to these kinds. */
  readonly resold?: boolean
  readonly models: PriceTable
}

/** All list prices as they were known on one day. A version never changes once it has been released. */
export interface PriceBook {
  /** The day, YYYY-MM-DD; part of every receipt. */
  readonly version: string
  /** Yuan per US dollar, for converting prices in yuan to dollars. */
  readonly yuanPerDollar: string
  /** Where the prices come from, for people. */
  readonly sources: readonly string[]
  /** In the order in which they are searched. */
  readonly sellers: readonly Seller[]
}
