import { BOOK_VERSION, type BookEntry, bookEntry, inProportion, scaleInput } from './book.ts'
import { multiply, scaledUp } from './decimal.ts'
import type { ModelConfig, ModelConfigs } from './model-configs.ts'
import type { Quote } from './quote.ts'

/** A ratio counts quota per token, a rate 10^-9 quota per token. */
const NANO_POWER = 9
/** `gpt-4o-2024-08-06`, `claude-haiku-4-5-20251001`. */
const DATED = /-20\d\d(?:-(?:0[1-9]|1[0-2])-|(?:0[1-9]|1[0-2]))(?:0[1-9]|[12]\d|3[01])$/

/**
 * Price of an upstream model (after mapping) on a channel of this kind: the channel's own configuration over the book.
 * Both are asked for the exact name and, only if neither knows it, for the name without a dated suffix. `missing` must
 * be refused, never guessed.
 *
 * A configured ratio replaces the list's input price; the model's output price, cache discounts and long-prompt steps
 * keep their proportion to it, unless `completion_ratio` says otherwise for the output. A model that the book does not
 * know costs the configured ratio for every class, times `completion_ratio` (1 when absent) for output.
 */
export function rates(kindCode: number, model: string, configs: ModelConfigs): Quote | 'missing' {
  const isKnown = configs.has(model) || bookEntry(kindCode, model) !== undefined
  const name = isKnown ? model : model.replace(DATED, '')
  const entry = bookEntry(kindCode, name)
  const config = configs.get(name)
  const price = ownPrice(config, entry) ?? listPrice(entry)
  if (price === undefined) return 'missing'
  return { ...price, maxOutput: config?.maxTokens || entry?.row.maxOutput, context: entry?.row.context }
}

type Price = Pick<Quote, 'rates' | 'tiers' | 'source'>

function listPrice(entry: BookEntry | undefined): Price | undefined {
  return entry && { rates: entry.rates, tiers: entry.tiers, source: `book:${BOOK_VERSION}` }
}

/** Undefined when the configuration sets no price. */
function ownPrice(config: ModelConfig | undefined, entry: BookEntry | undefined): Price | undefined {
  if (config?.ratio === undefined && config?.completionRatio === undefined) return undefined
  const ratio = config.ratio ?? (entry && { digits: entry.rates.input, scale: NANO_POWER })
  if (ratio === undefined) return undefined
  const input = scaledUp(ratio, NANO_POWER)
  const multiple = config.completionRatio && scaledUp(multiply(ratio, config.completionRatio), NANO_POWER)
  const source = 'channel'
  if (entry === undefined) {
    const all = { input, cachedInput: input, cacheWrite5m: input, cacheWrite1h: input, output: multiple ?? input }
    return { rates: all, tiers: [], source }
  }
  const list = entry.rates
  const output = multiple ?? inProportion(list.output, list.input, input)
  const tiers = entry.tiers.map(({ rates: long, ...thresholds }) => ({
    ...thresholds,
    rates: {
      ...scaleInput(long, inProportion(long.input, list.input, input)),
      output: inProportion(long.output, list.output, output),
    },
  }))
  return { rates: { ...scaleInput(list, input), output }, tiers, source }
}
