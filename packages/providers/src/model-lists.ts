import { KINDS, kindOf } from './kinds/all.ts'
import { bookEntries, type BookEntry, vendorKind } from './prices/book.ts'
import { NANO_QUOTA_PER_DOLLAR } from './prices/compile-row.ts'
import { quotientText } from './prices/decimal.ts'
import type { ModelConfigs } from './prices/model-config.ts'
import type { Rates } from './prices/quote.ts'
import { modelPrice, quotesAround } from './prices/rates.ts'

/** Chat models that a kind offers today, for the channel form. `today` in unix ms drops models past their shutdown. */
export function defaultModels(kindCode: number, today: number): readonly string[] {
  return liveEntries(kindCode, today).map((entry) => entry.model)
}

/** Type code → model names, for GET /api/models; every kind has a list, which can be empty. */
export function modelsByKind(today: number): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(KINDS.map(({ code }) => [String(code), defaultModels(code, today)]))
}

/** Every model that any kind offers today, sorted by name, with the name of its vendor's kind. */
export function modelOwners(today: number): readonly { readonly model: string; readonly owner: string }[] {
  const models = new Set(KINDS.flatMap(({ code }) => defaultModels(code, today)))
  return [...models].toSorted().map((model) => ({ model, owner: kindOf(vendorKind(model) ?? 0)?.name ?? 'custom' }))
}

/**
 * JSON text of ratio, completion_ratio and max_tokens per default model, for GET /api/channel/default-pricing. Saving it as a
 * channel's `model_configs` changes none of today's prices; prices that it omits stay as they are.
 */
export function defaultPricing(kindCode: number, today: number, overrides: ModelConfigs): string {
  const lines = pricedModels(kindCode, today, overrides).map(({ model, maxOutput, rates }) => {
    const cap = maxOutput === undefined ? '' : `, "max_tokens": ${maxOutput}`
    const isOnlyPerCall = overrides.get(model)?.onlyPerCall === true
    const price = isOnlyPerCall ? perCallText(rates) : `"ratio": ${ratioText(rates)}${completionText(rates)}`
    return `  ${JSON.stringify(model)}: { ${price}${cap} }`
  })
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n}`
}

/** The same prices in the family's older form: JSON strings of ratio per model and of completion ratio per model. */
export function defaultRatios(
  kindCode: number,
  today: number,
  overrides: ModelConfigs,
): { readonly modelRatio: string; readonly completionRatio: string } {
  const models = pricedModels(kindCode, today, overrides)
  const table = (of: (rates: Rates) => string): string =>
    `{${models.map(({ model, rates }) => `${JSON.stringify(model)}:${of(rates)}`).join(',')}}`
  return { modelRatio: table(ratioText), completionRatio: table(completionRatioText) }
}

interface PricedModel {
  readonly model: string
  readonly maxOutput: number | undefined
  readonly rates: Rates
}

/** Default models with their current list prices outside time windows. */
function pricedModels(kindCode: number, today: number, overrides: ModelConfigs): readonly PricedModel[] {
  return liveEntries(kindCode, today).flatMap(({ model, row: { maxOutput } }) => {
    const price = modelPrice(kindCode, model, new Map(), overrides)
    return price === 'missing' ? [] : [{ model, maxOutput, rates: quotesAround(price, today).usual.rates }]
  })
}

function liveEntries(kindCode: number, today: number): readonly BookEntry[] {
  const date = new Date(today).toISOString().slice(0, 10)
  return bookEntries(kindCode).filter(
    ({ row }) => row.use === undefined && (row.retires === undefined || date < row.retires),
  )
}

/** Decimal text, because ratios must not pass through a float. */
const ratioText = ({ input }: Rates): string => quotientText(input, 10n ** 9n, 9)
const completionRatioText = ({ input, output }: Rates): string => (input === 0n ? '1' : quotientText(output, input, 12))
/** A ratio of 0 would make the model free once the override is gone. */
const perCallText = ({ units }: Rates): string =>
  `"per_call": { "usd_per_thousand_calls": ${quotientText((units?.call ?? 0n) * 1_000n, NANO_QUOTA_PER_DOLLAR, 12)}, "only": true }`
const completionText = (rates: Rates): string =>
  rates.input === 0n ? '' : `, "completion_ratio": ${completionRatioText(rates)}`
