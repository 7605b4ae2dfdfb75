/** How to estimate the tokens of a model family that we cannot count exactly: count with `encoding`, then multiply. */
export interface TokenizerChoice {
  readonly encoding: 'o200k_base' | 'cl100k_base' | 'o200k_harmony'
  /** Multiplier in percent for ordinary text. */
  readonly percent: number
  /** Multiplier in percent when more than 30 % of the characters are CJK. */
  readonly percentCjk: number
}

export declare function tokenizerFor(model: string): TokenizerChoice

/** Multiplier in percent for this text. */
export declare function estimatePercent(choice: TokenizerChoice, text: string): number
