import { kindOf } from '../kinds/all.ts'
import { pricesAlone, setsPrice, withConfig } from './apply-config.ts'
import { bookEntry, pricesOver } from './book.ts'
import type { Leaf, Period } from './compile-row.ts'
import { decimalOfNumber, scaledUp } from './decimal.ts'
import type { ModelConfig, ModelConfigs } from './model-config.ts'
import { picturesOfConfig, picturesOfRow } from './picture-price.ts'
import { NO_OVERRIDES } from './price-overrides.ts'
import type { PriceRow } from './price-row.ts'
import type { Quote } from './quote.ts'
import { openWindow } from './time-window.ts'

/** Everything that a model can cost on a channel, computed once. */
export interface ModelPrice {
  /** In chronological order; the first period has no beginning. */
  readonly periods: readonly {
    readonly from: number
    readonly usual: Quote
    readonly windows: readonly {
      readonly name: string
      readonly holdsAt: (at: number) => boolean
      readonly quote: Quote
    }[]
  }[]
}

/**
 * Price of an upstream model (after mapping) on a channel of this kind: the channel's own configuration over the price overrides
 * over the price book. All are looked up by the exact name and, only if none knows it, by the name without a dated suffix.
 * `missing` must be refused or handled by the operator's stated policy, never guessed.
 */
export function modelPrice(
  kindCode: number,
  model: string,
  configs: ModelConfigs,
  overrides: ModelConfigs = NO_OVERRIDES,
): ModelPrice | 'missing' {
  const isKnown = configs.has(model) || overrides.has(model) || bookEntry(kindCode, model) !== undefined
  const name = isKnown ? model : plainName(model)
  const entry = bookEntry(kindCode, name)
  const own = configs.get(name)
  const override = overrides.get(name)
  const listed = entry && { periods: pricesOver(entry), source: `book:${entry.version}` }
  const found = layered(layered(listed, override, 'override'), own, 'channel')
  if (found === undefined) return 'missing'
  const maxOutput = own?.maxTokens || override?.maxTokens || entry?.row.maxOutput
  const facts = { maxOutput, context: entry?.row.context, source: found.source }
  return assemble(found.periods, facts, picturesOf([own, override], entry?.row))
}

interface SourcedPeriods {
  readonly periods: readonly Period[]
  readonly source: string
}

/** `below` with a configuration applied to it, if the configuration affects the price and the result has a price. */
function layered(
  below: SourcedPeriods | undefined,
  config: ModelConfig | undefined,
  source: string,
): SourcedPeriods | undefined {
  if (config === undefined || !setsPrice(config)) return below
  if (below === undefined) return pricesAlone(config) ? { periods: [withConfig(undefined, config)], source } : undefined
  return { periods: below.periods.map((period) => withConfig(period, config)), source }
}

/** The price of a request that started at a moment in unix ms. */
export function quoteAt(price: ModelPrice, started: number): Quote {
  const { windows, usual } = periodAt(price, started)
  return windows.find(({ holdsAt }) => holdsAt(started))?.quote ?? usual
}

/** For price lists: the prices of a given day outside time windows, and inside each window. */
export function quotesAround(
  price: ModelPrice,
  at: number,
): { readonly usual: Quote; readonly windows: readonly { readonly name: string; readonly quote: Quote }[] } {
  const { usual, windows } = periodAt(price, at)
  return { usual, windows: windows.map(({ name, quote }) => ({ name, quote })) }
}

function periodAt({ periods }: ModelPrice, at: number): ModelPrice['periods'][number] {
  const period = periods.findLast(({ from }) => at >= from)
  if (period === undefined) throw new RangeError('a price begins with a period that has always held')
  return period
}

/** `modelPrice` for one moment; if many requests need it, keep the model price. */
export function rates(kindCode: number, model: string, configs: ModelConfigs, started: number): Quote | 'missing' {
  const price = modelPrice(kindCode, model, configs)
  return price === 'missing' ? price : quoteAt(price, started)
}

function assemble(
  periods: readonly Period[],
  facts: Pick<Quote, 'maxOutput' | 'context' | 'source'>,
  pictures: Pick<Quote, 'pictures'>,
): ModelPrice {
  const quote = ({ rates, tiers }: Leaf, source: string): Quote => ({ rates, tiers, ...facts, ...pictures, source })
  return {
    periods: periods.map(({ from, usual, windows }) => ({
      from,
      usual: quote(usual, facts.source),
      windows: windows.map(({ window, ...leaf }) => ({
        name: window.name,
        holdsAt: openWindow(window),
        quote: quote(leaf, `${facts.source};window:${window.name}`),
      })),
    })),
  }
}

function picturesOf(configs: readonly (ModelConfig | undefined)[], row: PriceRow | undefined): Pick<Quote, 'pictures'> {
  const own = configs
    .map((config) => config?.image && picturesOfConfig(config.image))
    .find((each) => each !== undefined)
  const pictures = own ?? (row?.pictures && picturesOfRow(row.pictures))
  return pictures === undefined ? {} : { pictures }
}

const DATED = /-20\d\d(?:-(?:0[1-9]|1[0-2])-|(?:0[1-9]|1[0-2]))(?:0[1-9]|[12]\d|3[01])$/

export function plainName(model: string): string {
  return model.replace(DATED, '')
}

/**
 * How a model without a price is handled. `refuse`: it cannot be called. `fallback`: every token costs a stated ratio. `reported`:
 * on channels whose provider can report the cost of a call, that is charged, or the ratio if it reports nothing; on other channels
 * the model is refused.
 */
export type UnpricedPolicy = 'refuse' | 'fallback' | 'reported'

/** A ratio is in quota per token, a rate in 10^-9 quota per token. */
const NANO_POWER = 9

/** The price under the operator's policy for models without one. `ratio` 1 is 2 USD per million tokens. */
export function unpricedQuote(kindCode: number, policy: UnpricedPolicy, ratio: number): Quote | 'missing' {
  const price = decimalOfNumber(ratio)
  const isCharged = policy === 'fallback' || (policy === 'reported' && kindOf(kindCode)?.reportsCost === true)
  if (!isCharged || price === undefined) return 'missing'
  const rate = scaledUp(price, NANO_POWER)
  return {
    rates: { input: rate, cachedInput: rate, cacheWrite5m: rate, cacheWrite1h: rate, output: rate },
    tiers: [],
    maxOutput: undefined,
    context: undefined,
    source: `policy:${policy}`,
    ...(policy === 'reported' ? { charges: 'reported' } : {}),
  }
}
