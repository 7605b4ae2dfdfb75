import type { ModelConfigs } from './model-configs.ts'

/** Price of one token by class in 10^-9 quota; fits the ledger's `Rates`. 1 USD per million tokens = 500_000_000n. */
export interface Rates {
  readonly input: bigint
  readonly cachedInput: bigint
  readonly cacheWrite5m: bigint
  readonly cacheWrite1h: bigint
  readonly output: bigint
}

export interface Quote {
  readonly rates: Rates
  /** Dearer rates of a long prompt, lowest threshold first: they hold when all input tokens together exceed `above`. */
  readonly tiers: readonly { readonly above: number; readonly rates: Rates }[]
  /** Most tokens one choice can cost; undefined when unknown. */
  readonly maxOutput: number | undefined
  /** Context window in tokens; undefined when unknown. */
  readonly context: number | undefined
  /** For the receipt: `book:<version>`, or `channel` when the channel's own configuration set the price. */
  readonly source: string
}

/**
 * Price of an upstream model (after mapping) on a channel of this kind: the channel's own configuration, then the
 * book by exact name, then the book by the name without a dated suffix. `missing` must be refused, never guessed.
 */
export declare function rates(kindCode: number, model: string, configs: ModelConfigs): Quote | 'missing'

/** The rates that hold for a prompt of this many tokens (input, cached and cache writes together). */
export declare function ratesAt(quote: Quote, promptTokens: number): Rates
