import type { ImportReport } from '@sluice/contract/import'
import { type FamilyEntry, familyPrices, type LeftPrice, priceDifference } from '@sluice/providers/prices/family-ratios'
import { parseModelConfigs } from '@sluice/providers/prices/model-configs'
import { NO_OVERRIDES } from '@sluice/providers/prices/price-overrides'
import { type ModelPrice, modelPrice, quotesAround } from '@sluice/providers/prices/rates'
import type { ImportContext } from '../import-context.ts'
import type { SourceRatios, SourceSetting } from '../take/take-settings.ts'

/** Where the prices of the source differ from the price book, and the setting that keeps them. */
export interface PlannedPrices {
  readonly differences: ImportReport['prices']
  readonly settings: readonly SourceSetting[]
}

/** What the channels offer, each model with the names that it has at their providers. */
export type OfferedModels = ReadonlyMap<string, ReadonlySet<string>>

/** A smaller difference is rounding. */
const TOLERANCE = 0.01
/** No type of channel: the price of the model's vendor. */
const VENDOR = 0
const LISTED_MAX = 2_000
/** Rates are 10^-9 points per token, and 500,000 points are a dollar. */
const PER_MILLION_TOKENS = 500_000_000
const PER_CALL = 500_000_000_000_000
const NAMED_MAX = 20

/**
 * Compares the ratios of the source with the price book, model by model, for what its channels offer. With `keep`, models whose
 * price differs keep theirs through the option PriceOverrides.
 */
export function planPrices(
  { choices, now, report, family }: Pick<ImportContext, 'choices' | 'now' | 'report' | 'family'>,
  ratios: SourceRatios,
  offeredModels: OfferedModels,
): PlannedPrices {
  // Here, as in One API, a model costs what its name at the provider costs.
  const models = new Set([...offeredModels].flatMap(([model, names]) => [model, ...names]))
  const offered = (prices: ReadonlyMap<string, number>): ReadonlyMap<string, number> =>
    new Map([...prices].filter(([model]) => models.has(model)))
  // One API has no prices of cached tokens: they cost the same as others, unless the price book knows better.
  const caches =
    family === 'new-api' ? { cacheRatio: ratios.cacheRatio, createCacheRatio: ratios.createCacheRatio } : {}
  const { entries, left } = familyPrices({
    modelRatio: offered(ratios.modelRatio),
    completionRatio: offered(ratios.completionRatio),
    modelPrice: offered(ratios.modelPrice),
    ...caches,
  })
  for (const one of left) report.note(leftInWords(one))
  noteUnpriced(report, family, offeredModels, ratios)
  if (family === 'new-api') noteRenamed(report, offeredModels, entries)
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

/** Ratios that a program has built in are not in its database. Laisky's channels have prices of their own. */
function noteUnpriced(
  report: ImportContext['report'],
  family: ImportContext['family'],
  offered: OfferedModels,
  { modelRatio, modelPrice: prices }: SourceRatios,
): void {
  const charged = family === 'new-api' ? offered.keys() : [...offered.values()].flatMap((names) => [...names])
  const unpriced = [...new Set(charged)].filter((model) => !modelRatio.has(model) && !prices.has(model)).toSorted()
  if (family === 'laisky' || unpriced.length === 0) return
  report.note(
    `Models without a ratio in the settings of the source, which charged them by what is built into it, are charged by the price book here: ${listed(unpriced)}.`,
  )
}

/** new-api charges by the name that was requested. */
function noteRenamed(
  report: ImportContext['report'],
  offered: OfferedModels,
  entries: ReadonlyMap<string, FamilyEntry>,
): void {
  const price = (model: string): string | undefined => JSON.stringify(entries.get(model))
  const renamed = [...offered]
    .flatMap(([model, names]) => [...names].map((name) => [model, name] as const))
    .filter(([model, name]) => entries.has(model) && price(model) !== price(name))
    .map(([model, name]) => `${model} (${name})`)
    .toSorted()
  if (renamed.length === 0) return
  report.note(
    `A model that a channel renames costs what its name at the provider costs here, and at the source what the requested name costs. These cost something else now, until the channel's model_configs say otherwise: ${listed(renamed)}.`,
  )
}

function listed(names: readonly string[]): string {
  const more = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} more` : ''
  return `${names.slice(0, NAMED_MAX).join(', ')}${more}`
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
    ? `The price of ${model} stays that of the price book: it is not sold by tokens.`
    : `The ${field} of ${model} is no price, and is left out.`
}
