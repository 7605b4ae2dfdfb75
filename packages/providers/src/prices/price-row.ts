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
 * Prices of everything else as decimal text: tokens and characters by the million, `audio_ms` by the hour, `video_ms` by
 * the second, the others each.
 */
export type UnitPrices = { readonly [Class in Exclude<UnitClass, 'reported_nano_usd'>]?: string }

/** Dearer or cheaper prices of large requests; what is absent is as usual. */
export interface TierPrices extends TokenPrices {
  /** Prompt tokens, at least. */
  readonly fromInput?: number
  /** Output tokens, at least. */
  readonly fromOutput?: number
  readonly units?: UnitPrices
}

/** List prices that hold for a while. A model without a token price is paid by its units alone. */
export interface ListPrices extends TokenPrices {
  readonly units?: UnitPrices
  /** The one that counts comes last. */
  readonly tiers?: readonly TierPrices[]
  /** Other prices at certain times, chosen by the start of a request; the first that holds counts. */
  readonly windows?: readonly (TimeWindow & Omit<ListPrices, 'windows'>)[]
}

/** What the book says of one model. */
export interface PriceRow extends ListPrices {
  /** Context window in tokens. */
  readonly context?: number
  /** Most tokens of one answer. */
  readonly maxOutput?: number
  /** Prices that are announced: they replace all of the above from the beginning of a day, YYYY-MM-DD in UTC. */
  readonly later?: readonly (ListPrices & { readonly from: string })[]
  /** What size and quality do to the price of a picture, which is that of the defaults. */
  readonly pictures?: {
    readonly defaultSize: string
    readonly defaultQuality: string
    /** Quality → size → multiple as decimal text. */
    readonly multiples: Readonly<Record<string, Readonly<Record<string, string>>>>
  }
  /** Day of shutdown at the vendor, YYYY-MM-DD. The row stays: resellers and old logs still need it. */
  readonly retires?: string
  /** What the model is called through; chat completions when absent. */
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

/** Who sells models at which prices. */
export interface Seller {
  /** Channel kinds that sell at these prices, the vendor's own kind first. */
  readonly kinds: readonly number[]
  readonly currency: 'USD' | 'CNY'
  /** Other vendors' models: these prices hold for these kinds and no other. */
  readonly resold?: boolean
  readonly models: PriceTable
}

/** All list prices as they were known on one day. A version never changes once it was released. */
export interface PriceBook {
  /** The day, YYYY-MM-DD; part of every receipt. */
  readonly version: string
  /** Yuan per US dollar with which prices in yuan become dollars. */
  readonly yuanPerDollar: string
  /** Where the prices come from, for people. */
  readonly sources: readonly string[]
  /** In the order in which they are asked. */
  readonly sellers: readonly Seller[]
}
