import { KINDS, kindOf } from './kinds/all.ts'
import { bookEntries, type BookEntry, vendorKind } from './prices/book.ts'
import { quotientText } from './prices/decimal.ts'
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

/** Every model that some kind offers today, in order of name, with the name of the kind of its vendor. */
export function modelOwners(today: number): readonly { readonly model: string; readonly owner: string }[] {
  const models = new Set(KINDS.flatMap(({ code }) => defaultModels(code, today)))
  return [...models].toSorted().map((model) => ({ model, owner: kindOf(vendorKind(model) ?? 0)?.name ?? 'custom' }))
}

/**
 * JSON text of ratio, completion_ratio and max_tokens per default model, for GET /api/channel/default-pricing. Saving it as a
 * channel's `model_configs` changes no current price.
 */
export function defaultPricing(kindCode: number, today: number): string {
  const lines = pricedModels(kindCode, today).map(({ model, maxOutput, rates }) => {
    const cap = maxOutput === undefined ? '' : `, "max_tokens": ${maxOutput}`
    return `  ${JSON.stringify(model)}: { "ratio": ${ratioText(rates)}${completionText(rates)}${cap} }`
  })
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n}`
}

/** The same prices in the family's older form: JSON texts of ratio per model and of completion ratio per model. */
export function defaultRatios(
  kindCode: number,
  today: number,
): { readonly modelRatio: string; readonly completionRatio: string } {
  const models = pricedModels(kindCode, today)
  const table = (of: (rates: Rates) => string): string =>
    `{${models.map(({ model, rates }) => `${JSON.stringify(model)}:${of(rates)}`).join(',')}}`
  return { modelRatio: table(ratioText), completionRatio: table(completionRatioText) }
}

interface PricedModel {
  readonly model: string
  readonly maxOutput: number | undefined
  readonly rates: Rates
}

/** Default models with their current list prices; where some hours are dearer, the price of the others. */
function pricedModels(kindCode: number, today: number): readonly PricedModel[] {
  return liveEntries(kindCode, today).flatMap(({ model, row: { maxOutput } }) => {
    const price = modelPrice(kindCode, model, new Map())
    return price === 'missing' ? [] : [{ model, maxOutput, rates: quotesAround(price, today).usual.rates }]
  })
}

function liveEntries(kindCode: number, today: number): readonly BookEntry[] {
  const date = new Date(today).toISOString().slice(0, 10)
  return bookEntries(kindCode).filter(
    ({ row }) => row.use === undefined && (row.retires === undefined || date < row.retires),
  )
}

/** Ratios as decimal text: they must not pass through a float. */
const ratioText = ({ input }: Rates): string => quotientText(input, 10n ** 9n, 9)
const completionRatioText = ({ input, output }: Rates): string => (input === 0n ? '1' : quotientText(output, input, 12))
const completionText = (rates: Rates): string =>
  rates.input === 0n ? '' : `, "completion_ratio": ${completionRatioText(rates)}`
