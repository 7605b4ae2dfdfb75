import type { Decimal } from './decimal.ts'
import type { TimeWindow } from './time-window.ts'

/** Text-token prices as ratios: 1 is 1 quota per token, or 2 USD per million. Absent members are not set. */
export interface RatioConfig {
  readonly ratio?: Decimal
  /** Output price as a multiple of the input price. */
  readonly completionRatio?: Decimal
  readonly cachedInputRatio?: Decimal
  readonly cacheWrite5mRatio?: Decimal
  readonly cacheWrite1hRatio?: Decimal
}

/** Other prices for requests with at least this many input and output tokens; absent members cost the usual price. */
export interface TierConfig extends RatioConfig {
  readonly fromInput: number
  readonly fromOutput: number
}

export interface PriceConfig extends RatioConfig {
  /** Reasoning-token price as a multiple of the input price; if absent, as other output. */
  readonly reasoningRatio?: Decimal
  readonly tiers?: readonly TierConfig[]
  readonly audio?: AudioConfig
  readonly image?: ImageConfig
  readonly video?: { readonly perSecondUsd?: Decimal }
  readonly embedding?: EmbeddingConfig
  /** Dollars per thousand calls, in addition to other prices; the tokens of a model without any other price are free. */
  readonly usdPerThousandCalls?: Decimal
  /** Only the call has a price, not tokens, pictures and seconds. The provider's searches and tools keep their list price. */
  readonly onlyPerCall?: true
}

/** An administrator's prices for one model, on one channel or on all. */
export interface ModelConfig extends PriceConfig {
  /** Cap on output tokens; 0 for none. */
  readonly maxTokens?: number
  /** Prices at certain times, in place of the book's; absent members cost the usual price. */
  readonly windows?: readonly (PriceConfig & { readonly window: TimeWindow })[]
}
export type ModelConfigs = ReadonlyMap<string, ModelConfig>

export interface AudioConfig {
  /** Prompt audio-token price as a multiple of the input price. */
  readonly promptRatio?: Decimal
  /** Answer audio-token price as a multiple of the prompt's. */
  readonly completionRatio?: Decimal
  /** Tokens charged per second of audio, if only its length is known. */
  readonly promptTokensPerSecond?: Decimal
  readonly usdPerSecond?: Decimal
}

export interface ImageConfig {
  /** At the default size and quality. */
  readonly pricePerImageUsd?: Decimal
  /** Prompt picture-token price as a multiple of the input price. */
  readonly promptRatio?: Decimal
  readonly defaultSize?: string
  readonly defaultQuality?: string
  readonly sizeMultipliers?: ReadonlyMap<string, Decimal>
  readonly qualityMultipliers?: ReadonlyMap<string, Decimal>
  /** Quality → size → multiplier; takes precedence over the other two. */
  readonly qualitySizeMultipliers?: ReadonlyMap<string, ReadonlyMap<string, Decimal>>
}

/** Token prices are ratios, as for text. */
export interface EmbeddingConfig {
  readonly textTokenRatio?: Decimal
  readonly imageTokenRatio?: Decimal
  readonly audioTokenRatio?: Decimal
  readonly videoTokenRatio?: Decimal
  readonly usdPerImage?: Decimal
  readonly usdPerAudioSecond?: Decimal
  readonly usdPerDocumentPage?: Decimal
}
