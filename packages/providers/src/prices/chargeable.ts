import type { TokenCounts, UnitCounts } from '@sluice/dialects/token-counts'
import type { Rates, UnitRates } from './quote.ts'

type Class = keyof UnitCounts
type TextClass = 'input' | 'cachedInput' | 'output'

/** The price of a token class without its own: that of another class if it has one, otherwise that of text. */
const FOLDS: readonly { readonly from: Class; readonly or?: Class; readonly text: TextClass }[] = [
  { from: 'audio_input', text: 'input' },
  // Without a price of their own, cached reads cost the same as uncached ones.
  { from: 'cached_audio_input', or: 'audio_input', text: 'cachedInput' },
  { from: 'image_input', text: 'input' },
  { from: 'cached_image_input', or: 'image_input', text: 'cachedInput' },
  { from: 'video_input', text: 'input' },
  { from: 'audio_output', text: 'output' },
  { from: 'image_output', text: 'output' },
  { from: 'reasoning_output', text: 'output' },
]

/**
 * The same usage in classes that all have a rate, as the ledger requires. Tokens of a class without a price move to the class whose
 * price they take; other units without a price (calls, pictures, seconds …) are left out, because the model is priced by something
 * else. Reasoning is taken out of the output when it is priced separately.
 */
export function chargeable(usage: TokenCounts, rates: Rates): TokenCounts {
  const reasoning = rates.units?.reasoning_output === undefined ? 0 : usage.reasoning
  if (usage.units === undefined && reasoning === 0) return usage
  const counts = { input: usage.input, cachedInput: usage.cachedInput, output: usage.output }
  const units: { [Name in Class]?: number } = { ...usage.units }
  if (reasoning > 0 && units.reasoning_output === undefined) {
    units.reasoning_output = reasoning
    counts.output -= reasoning
  }
  for (const { from, or, text } of FOLDS) fold(units, counts, rates.units ?? {}, { from, or, text })
  const { units: _folded, ...rest } = usage
  const priced = Object.entries(units).filter(([name]) => rates.units?.[name as Class] !== undefined)
  return { ...rest, ...counts, ...(priced.length === 0 ? {} : { units: Object.fromEntries(priced) }) }
}

function fold(
  units: { [Name in Class]?: number },
  counts: { [Name in TextClass]: number },
  rates: UnitRates,
  { from, or, text }: { readonly from: Class; readonly or: Class | undefined; readonly text: TextClass },
): void {
  const count = units[from]
  if (count === undefined || rates[from] !== undefined) return
  delete units[from]
  if (or !== undefined && rates[or] !== undefined) units[or] = (units[or] ?? 0) + count
  else counts[text] += count
}

/** Provider work that is neither tokens nor covered by another class. */
const SURCHARGES = ['search', 'tool_call', 'page', 'call'] as const

/** Used classes that have no price and so were not charged; nearly always empty. */
export function uncharged({ units }: TokenCounts, rates: Rates): readonly Class[] {
  if (units === undefined || rates.units?.reported_nano_usd !== undefined) return NONE
  return SURCHARGES.filter((name) => (units[name] ?? 0) > 0 && rates.units?.[name] === undefined)
}
const NONE: readonly Class[] = []

export function promptTokens({ input, cachedInput, cacheWrite5m, cacheWrite1h, units }: TokenCounts): number {
  const text = input + cachedInput + cacheWrite5m + cacheWrite1h
  if (units === undefined) return text
  const { audio_input: audio = 0, image_input: image = 0, video_input: video = 0 } = units
  return text + audio + image + video + (units.cached_audio_input ?? 0) + (units.cached_image_input ?? 0)
}

export function outputTokens({ output, units }: TokenCounts): number {
  if (units === undefined) return output
  return output + (units.audio_output ?? 0) + (units.image_output ?? 0) + (units.reasoning_output ?? 0)
}
