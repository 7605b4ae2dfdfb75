/**
 * Tokens by price class, normalised from any vendor's usage object. Classes are disjoint, never negative and add up to
 * the vendor's total: `input` excludes cached and cache-write tokens. Fits the ledger's type of the same name.
 */
export interface TokenCounts {
  readonly input: number
  readonly cachedInput: number
  readonly cacheWrite5m: number
  readonly cacheWrite1h: number
  /** Includes reasoning. */
  readonly output: number
  /** Part of `output`; for display only. */
  readonly reasoning: number
}
