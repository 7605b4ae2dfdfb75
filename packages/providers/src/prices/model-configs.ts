import type { Decimal } from './decimal.ts'

/** What an administrator set for one model of a channel. Ratio 1 = 2 USD per million input tokens = 1 quota per token. */
export interface ModelConfig {
  readonly ratio?: Decimal
  /** Output price as a multiple of the input price. */
  readonly completionRatio?: Decimal
  /** Cap on output tokens; 0 is "not set". */
  readonly maxTokens?: number
}
export type ModelConfigs = ReadonlyMap<string, ModelConfig>

/** Reads a channel's `model_configs` text; null or blank is empty. Parse once per channel, not per request. */
export declare function parseModelConfigs(text: string | null): ModelConfigs | { readonly problem: string }
