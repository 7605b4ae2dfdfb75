/** List prices of one model, in USD per million tokens as decimal text. */
export interface PriceRow {
  /** Context window in tokens. */
  readonly context?: number
  /** Most tokens of one answer. */
  readonly maxOutput?: number
  readonly input: string
  readonly output: string
  /** Absent: the input price. */
  readonly cachedInput?: string
  /** Absent: the input price. */
  readonly cacheWrite5m?: string
  /** Absent: the five-minute price. */
  readonly cacheWrite1h?: string
  /** Dearer prices of long prompts; cache prices keep their proportion to the input price. */
  readonly above?: { readonly tokens: number; readonly input: string; readonly output: string }
  /** Day of shutdown at the vendor, YYYY-MM-DD. The row stays: resellers and old logs still need it. */
  readonly retires?: string
  /** What the model is called through; chat completions when absent. */
  readonly use?: 'responses' | 'embeddings'
}

/** Model name → prices. */
export type PriceTable = Readonly<Record<string, PriceRow>>
