import type { TokenCounts } from '@sluice/dialects/token-counts'
import type { Rates } from '@sluice/providers/prices/quote'

/** A picture that is sold by tokens and was not counted in them, as the family has it. */
export const PICTURE_AS_TOKENS = 1_000
/** Sound that is sold by tokens and was measured by its length, as the family has it. */
export const MS_PER_SOUND_TOKEN = 100
/** Speech has at least 10 characters a second, and OpenAI counts 20 tokens for a second of it. */
const SOUND_TOKENS_PER_CHARACTER = 2

/**
 * Usage in the units that a price knows. Pictures, characters and seconds become tokens where the price has tokens only: what was
 * used must never be free because it was counted another way. Usage that also counts tokens of its kind is left alone. Where
 * each call has a price, this was one.
 */
export function inPricedUnits(counts: TokenCounts, { units: priced = NO_UNITS }: Rates): TokenCounts {
  const used = counts.units === undefined ? counts : withoutUnpriced(counts, counts.units, priced)
  return priced.call === undefined ? used : { ...used, units: { ...used.units, call: 1 } }
}

const NO_UNITS: NonNullable<Rates['units']> = {}

function withoutUnpriced(
  counts: TokenCounts,
  units: NonNullable<TokenCounts['units']>,
  priced: NonNullable<Rates['units']>,
): TokenCounts {
  if (units.character !== undefined && priced.character === undefined && units.audio_output === undefined) {
    if (priced.audio_output === undefined) return { ...counts, input: Math.max(counts.input, units.character) }
    return { ...counts, units: { ...units, audio_output: units.character * SOUND_TOKENS_PER_CHARACTER } }
  }
  if (units.image !== undefined && priced.image === undefined && units.image_output === undefined) {
    return { ...counts, input: counts.input + units.image * PICTURE_AS_TOKENS }
  }
  if (units.audio_ms !== undefined && priced.audio_ms === undefined && units.audio_input === undefined) {
    return { ...counts, units: { ...units, audio_input: Math.ceil(units.audio_ms / MS_PER_SOUND_TOKEN) } }
  }
  return counts
}
