import { type Leaf, NANO_QUOTA_PER_DOLLAR, type Period, type WindowLeaf } from './compile-row.ts'
import { type Decimal, divideUp, multiply, scaledUp } from './decimal.ts'
import type { ModelConfig, PriceConfig, RatioConfig } from './model-config.ts'
import type { Rates, Tier, UnitClass, UnitRates } from './quote.ts'

/** A ratio is in quota per token, a rate in 10^-9 quota per token. */
const NANO_POWER = 9

const NOTHING: Rates = { input: 0n, cachedInput: 0n, cacheWrite5m: 0n, cacheWrite1h: 0n, output: 0n }
/** The price of a model without a list price, before its configuration is applied. */
const UNKNOWN: Period = { from: Number.NEGATIVE_INFINITY, usual: { rates: NOTHING, tiers: [] }, windows: [] }

export function setsPrice({ maxTokens: _cap, ...prices }: ModelConfig): boolean {
  return Object.keys(prices).length > 0
}

/** Whether the configuration alone prices a model without a list price. */
export function pricesAlone(config: ModelConfig): boolean {
  return (
    config.ratio !== undefined ||
    config.usdPerThousandCalls !== undefined ||
    config.image?.pricePerImageUsd !== undefined ||
    config.audio?.usdPerSecond !== undefined ||
    config.video?.perSecondUsd !== undefined ||
    config.embedding?.textTokenRatio !== undefined
  )
}

/**
 * A list period with configured prices. A configured ratio replaces the list's input price; all prices that the configuration does
 * not name keep their proportion to it: output, caches, higher tiers, cheaper hours. For a model without a list price, every class
 * of text costs the ratio.
 */
export function withConfig(list: Period = UNKNOWN, config: ModelConfig): Period {
  const { windows: ownWindows, ...prices } = config
  const apply = (leaf: Leaf, own: PriceConfig): Leaf => applyTo(leaf, list.usual, own)
  const usual = apply(list.usual, prices)
  const windows: readonly WindowLeaf[] =
    ownWindows?.map(({ window, ...own }) => ({ ...apply(list.usual, { ...prices, ...own }), window })) ??
    list.windows.map((leaf) => ({ ...apply(leaf, prices), window: leaf.window }))
  return { from: list.from, usual, windows }
}

/** `leaf` with the configured prices; proportions are relative to `usual`, the list's own price. */
function applyTo(leaf: Leaf, usual: Leaf, config: PriceConfig): Leaf {
  if (config.onlyPerCall === true) return { rates: onlyPerCall(usual.rates.units, config), tiers: [] }
  const change = textChange(usual.rates, config)
  const apply = (rates: Rates): Rates => withUnits(change(rates), rates, config)
  const rates = apply(leaf.rates)
  if (config.tiers === undefined)
    return { rates, tiers: leaf.tiers.map((tier) => ({ ...tier, rates: apply(tier.rates) })) }
  const tiers = config.tiers
    .toSorted((a, b) => a.fromInput - b.fromInput || a.fromOutput - b.fromOutput)
    .map(({ fromInput, fromOutput, ...own }): Tier => ({ fromInput, fromOutput, rates: textChange(rates, own)(rates) }))
  return { rates, tiers }
}

/** Pages have a rate, because provider work without one raises an alarm. */
function onlyPerCall(list: UnitRates = {}, config: PriceConfig): Rates {
  const { search, tool_call, page } = list
  const kept = Object.entries({ search, tool_call, page: page && 0n }).filter(([, rate]) => rate !== undefined)
  return { ...NOTHING, units: { ...Object.fromEntries(kept), call: dollars(config.usdPerThousandCalls, 1_000n) ?? 0n } }
}

/** How a configuration changes rates that are in some proportion to `list`. */
function textChange(list: Rates, config: RatioConfig): (rates: Rates) => Rates {
  const input = rateOf(config.ratio) ?? list.input
  const output =
    config.completionRatio === undefined
      ? inProportion(list.output, list.input, input)
      : scaledUp(multiply(config.ratio ?? asRatio(list.input), config.completionRatio), NANO_POWER)
  const cached = (own: Decimal | undefined, price: bigint): bigint =>
    rateOf(own) ?? inProportion(price, list.input, input)
  const to: Rates = {
    input,
    cachedInput: cached(config.cachedInputRatio, list.cachedInput),
    cacheWrite5m: cached(config.cacheWrite5mRatio, list.cacheWrite5m),
    cacheWrite1h: cached(config.cacheWrite1hRatio, list.cacheWrite1h),
    output,
  }
  return (rates) => ({
    ...(rates.units === undefined ? {} : { units: unitsInProportion(rates.units, list, to) }),
    input: inProportion(rates.input, list.input, to.input),
    cachedInput: inProportion(rates.cachedInput, list.cachedInput, to.cachedInput),
    cacheWrite5m: inProportion(rates.cacheWrite5m, list.cacheWrite5m, to.cacheWrite5m),
    cacheWrite1h: inProportion(rates.cacheWrite1h, list.cacheWrite1h, to.cacheWrite1h),
    output: inProportion(rates.output, list.output, to.output),
  })
}

const WITH_INPUT: readonly UnitClass[] = [
  'audio_input',
  'cached_audio_input',
  'image_input',
  'cached_image_input',
  'video_input',
]
const WITH_OUTPUT: readonly UnitClass[] = ['audio_output', 'image_output', 'reasoning_output']

/** Prices of other token kinds change in proportion to text; those of calls, pictures and seconds stay. */
function unitsInProportion(units: UnitRates, from: Rates, to: Rates): UnitRates {
  return Object.fromEntries(
    (Object.entries(units) as [UnitClass, bigint][]).map(([name, rate]) => {
      if (WITH_INPUT.includes(name)) return [name, inProportion(rate, from.input, to.input)]
      if (WITH_OUTPUT.includes(name)) return [name, inProportion(rate, from.output, to.output)]
      return [name, rate]
    }),
  )
}

function withUnits(rates: Rates, list: Rates, config: PriceConfig): Rates {
  const { audio, image, video, embedding } = config
  const times = (price: bigint | undefined, multiple: Decimal | undefined): bigint | undefined =>
    price === undefined || multiple === undefined
      ? undefined
      : divideUp(price * multiple.digits, 10n ** BigInt(multiple.scale))
  const sound = times(rates.input, audio?.promptRatio) ?? rateOf(embedding?.audioTokenRatio)
  const soundOfAnswer = times(sound ?? rates.units?.audio_input ?? rates.input, audio?.completionRatio)
  const own: { readonly [Class in UnitClass]?: bigint | undefined } = {
    audio_input: sound,
    // Keeps the list's discount on cached audio.
    cached_audio_input:
      sound === undefined || list.units?.cached_audio_input === undefined
        ? undefined
        : inProportion(list.units.cached_audio_input, list.units.audio_input ?? 0n, sound),
    audio_output: soundOfAnswer,
    image_input: times(rates.input, image?.promptRatio) ?? rateOf(embedding?.imageTokenRatio),
    video_input: rateOf(embedding?.videoTokenRatio),
    reasoning_output: times(rates.input, config.reasoningRatio),
    call: dollars(config.usdPerThousandCalls, 1_000n),
    image: dollars(image?.pricePerImageUsd ?? embedding?.usdPerImage, 1n),
    audio_ms:
      dollars(audio?.usdPerSecond ?? embedding?.usdPerAudioSecond, 1_000n) ??
      times(divideUp(sound ?? rates.input, 1_000n), audio?.promptTokensPerSecond),
    video_ms: dollars(video?.perSecondUsd, 1_000n),
    page: dollars(embedding?.usdPerDocumentPage, 1n),
  }
  const given = Object.entries(own).filter(([, rate]) => rate !== undefined)
  const text = rateOf(embedding?.textTokenRatio)
  const priced = text === undefined ? rates : { ...rates, input: text, cachedInput: text }
  return given.length === 0 ? priced : { ...priced, units: { ...rates.units, ...Object.fromEntries(given) } }
}

const rateOf = (ratio: Decimal | undefined): bigint | undefined => ratio && scaledUp(ratio, NANO_POWER)
const asRatio = (rate: bigint): Decimal => ({ digits: rate, scale: NANO_POWER })

/** Dollars for `per` units, as 10^-9 quota per unit, rounded up. */
function dollars(price: Decimal | undefined, per: bigint): bigint | undefined {
  return price && divideUp(price.digits * NANO_QUOTA_PER_DOLLAR, per * 10n ** BigInt(price.scale))
}

/** Scales `price` as another price changed from `from` to `to`; rounded up. */
function inProportion(price: bigint, from: bigint, to: bigint): bigint {
  if (from === to) return price
  return from === 0n ? to : divideUp(price * to, from)
}
