/** How to estimate the tokens of a model that cannot be counted exactly here: count with `encoding`, then multiply. */
export interface TokenizerChoice {
  readonly encoding: 'o200k_base' | 'cl100k_base' | 'o200k_harmony'
  /** Multiplier in percent for ordinary text. */
  readonly percent: number
  /** Multiplier in percent if more than 30 % of the characters are Chinese, Japanese or Korean. */
  readonly percentCjk: number
}

/** The first row that matches a model name without vendor prefixes decides. */
const FAMILIES: readonly { readonly models: RegExp; readonly choice: TokenizerChoice }[] = [
  { models: /gpt-oss/, choice: { encoding: 'o200k_harmony', percent: 100, percentCjk: 100 } },
  // All later OpenAI models, and gpt-4o, gpt-4.1 and gpt-4.5, use o200k.
  { models: /^gpt-(3\.5|4(?![o.]))/, choice: { encoding: 'cl100k_base', percent: 100, percentCjk: 100 } },
  {
    models: /claude-(opus-4-[789]|(opus|sonnet|haiku|fable)-([5-9]|\d\d))/,
    choice: { encoding: 'o200k_base', percent: 135, percentCjk: 135 },
  },
  { models: /claude/, choice: { encoding: 'o200k_base', percent: 110, percentCjk: 125 } },
  {
    models: /qwen|deepseek|kimi|moonshot|ernie|doubao|minimax/,
    choice: { encoding: 'o200k_base', percent: 100, percentCjk: 90 },
  },
]
const DEFAULT: TokenizerChoice = { encoding: 'o200k_base', percent: 100, percentCjk: 100 }

export function tokenizerFor(model: string): TokenizerChoice {
  const name = model.toLowerCase().slice(model.lastIndexOf('/') + 1)
  return FAMILIES.find(({ models }) => models.test(name))?.choice ?? DEFAULT
}

/** Characters examined to detect the script; enough for a proportion, cheap for any length. */
const SAMPLE = 20_000

export function estimatePercent(choice: TokenizerChoice, text: string): number {
  if (choice.percent === choice.percentCjk || text === '') return choice.percent
  const sample = text.slice(0, SAMPLE)
  const cjk = sample.match(/[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]/g)?.length ?? 0
  return cjk > sample.length * 0.3 ? choice.percentCjk : choice.percent
}
