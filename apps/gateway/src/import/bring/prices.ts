import type { ImportReport } from '@sluice/contract/import'
import { type FamilyEntry, familyPrices, type LeftPrice, priceDifference } from '@sluice/providers/prices/family-ratios'
import { parseModelConfigs } from '@sluice/providers/prices/model-configs'
import { NO_OVERRIDES } from '@sluice/providers/prices/price-overrides'
import { type ModelPrice, modelPrice, quotesAround } from '@sluice/providers/prices/rates'
import type { ImportContext } from '../import-context.ts'
import type { SourceRatios, SourceSetting } from '../take/take-settings.ts'

/** Source prices that differ from the price book, and the setting that preserves them. */
export interface PlannedPrices {
  readonly differences: ImportReport['prices']
  readonly settings: readonly SourceSetting[]
}

export interface OfferedModels {
  readonly models: ReadonlySet<string>
  /** Model names that a channel maps to another name. */
  readonly mapped: ReadonlyMap<string, string>
}

/** A smaller difference is due to rounding. */
const TOLERANCE = 0.01
/** Not a channel type: stands for the price of the model's vendor. */
const VENDOR = 0
const LISTED_MAX = 2_000
/** Rates are 10^-9 points per token, and 500,000 points are a dollar. */
const PER_MILLION_TOKENS = 500_000_000
const PER_CALL = 500_000_000_000_000
const NAMED_MAX = 20

/** Compares ratios with the price book for each offered model. With `keep`, PriceOverrides preserves differing prices. */
export function planPrices(
  { choices, now, report, family }: Pick<ImportContext, 'choices' | 'now' | 'report' | 'family'>,
  given: SourceRatios,
  { models, mapped }: OfferedModels,
): PlannedPrices {
  const ratios = family === 'new-api' ? withTargets(given, mapped, report) : given
  const offered = (prices: ReadonlyMap<string, number>): ReadonlyMap<string, number> =>
    new Map([...prices].filter(([model]) => models.has(model) || targets.has(model)))
  const targets = new Set(mapped.values())
  // One API has no prices for cached tokens: they cost the same as others, unless the price book has a price.
  const caches =
    family === 'new-api' ? { cacheRatio: ratios.cacheRatio, createCacheRatio: ratios.createCacheRatio } : {}
  const { entries, left } = familyPrices({
    modelRatio: offered(ratios.modelRatio),
    completionRatio: offered(ratios.completionRatio),
    modelPrice: offered(ratios.modelPrice),
    ...caches,
  })
  for (const one of left) report.note(leftInWords(one))
  noteUnpriced(report, family, models, ratios)
  const differences: ImportReport['prices'][number][] = []
  const kept: Record<string, FamilyEntry> = {}
  for (const [model, entry] of entries) {
    const difference = priceDifference(model, entry, now())
    const fraction = difference.outcome === 'compared' ? difference.fraction : null
    if (fraction !== null && fraction <= TOLERANCE) continue
    kept[model] = entry
    if (differences.length < LISTED_MAX) {
      const listed = modelPrice(VENDOR, model, NO_OVERRIDES)
      differences.push({
        model,
        theirs: priceOf(withEntry(model, entry), now()) ?? NO_PRICE,
        ours: listed === 'missing' ? null : priceOf(listed, now()),
        difference: fraction !== null && Number.isFinite(fraction) ? fraction : null,
      })
    }
  }
  const isKept = choices.prices === 'keep' && Object.keys(kept).length > 0
  const setting = { source: 'ModelRatio', key: 'PriceOverrides', value: JSON.stringify(kept) }
  return { differences, settings: isKept ? [setting] : [] }
}

/**
 * new-api charges by the client's model name, this gateway by the provider's. A provider's name without a price therefore gets the
 * price of the name that is mapped to it.
 */
function withTargets(
  ratios: SourceRatios,
  mapped: ReadonlyMap<string, string>,
  report: ImportContext['report'],
): SourceRatios {
  const isPriced = (model: string): boolean => ratios.modelRatio.has(model) || ratios.modelPrice.has(model)
  const moved = [...mapped].filter(([name, target]) => isPriced(name) && !isPriced(target))
  const others = [...mapped].filter(([name, target]) => isPriced(name) && isPriced(target))
  for (const [name, target] of others) {
    report.note(`${name} is charged as ${target} here, because a channel maps it to that model.`)
  }
  const extended = (prices: ReadonlyMap<string, number>): ReadonlyMap<string, number> =>
    new Map([
      ...prices,
      ...moved.flatMap(([name, target]) => {
        const price = prices.get(name)
        return price === undefined ? [] : [[target, price] as const]
      }),
    ])
  return {
    modelRatio: extended(ratios.modelRatio),
    completionRatio: extended(ratios.completionRatio),
    cacheRatio: extended(ratios.cacheRatio),
    createCacheRatio: extended(ratios.createCacheRatio),
    modelPrice: extended(ratios.modelPrice),
  }
}

/** Ratios built into a program are not in its database. Laisky's channels have their own prices; ours use the price book. */
function noteUnpriced(
  report: ImportContext['report'],
  family: ImportContext['family'],
  models: ReadonlySet<string>,
  { modelRatio, modelPrice: prices }: SourceRatios,
): void {
  const unpriced = [...models]
    .filter((model) => model !== '' && !modelRatio.has(model) && !prices.has(model))
    .toSorted()
  if (family === 'laisky' || family === 'sluice' || unpriced.length === 0) return
  const more = unpriced.length > NAMED_MAX ? ` and ${unpriced.length - NAMED_MAX} more` : ''
  report.note(
    `These models have no ratio in the settings of the source, which used its built-in prices for them; here they are charged by the price book: ${unpriced.slice(0, NAMED_MAX).join(', ')}${more}.`,
  )
}

const NO_PRICE = { input: null, cached_input: null, output: null, per_call: null }

function withEntry(model: string, entry: FamilyEntry): ModelPrice | 'missing' {
  const configs = parseModelConfigs(JSON.stringify({ [model]: entry }))
  return 'problem' in configs ? 'missing' : modelPrice(VENDOR, model, NO_OVERRIDES, configs)
}

function priceOf(price: ModelPrice | 'missing', at: number): ImportReport['prices'][number]['theirs'] | null {
  if (price === 'missing') return null
  const { rates } = quotesAround(price, at).usual
  const call = rates.units?.call
  const isByTokens = rates.input > 0n || rates.output > 0n
  return {
    input: isByTokens ? Number(rates.input) / PER_MILLION_TOKENS : null,
    cached_input: isByTokens ? Number(rates.cachedInput) / PER_MILLION_TOKENS : null,
    output: isByTokens ? Number(rates.output) / PER_MILLION_TOKENS : null,
    per_call: call === undefined ? null : Number(call) / PER_CALL,
  }
}

function leftInWords({ model, field, reason }: LeftPrice): string {
  return reason === 'sold_by_piece'
    ? `${model} keeps the price of the price book, because it is not priced by tokens.`
    : `The ${field} of ${model} is not a price and is ignored.`
}
