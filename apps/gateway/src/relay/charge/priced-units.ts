import type { TokenCounts } from '@sluice/dialects/token-counts'
import type { Rates } from '@sluice/providers/prices/quote'
import { PICTURE_AS_TOKENS, MS_PER_SOUND_TOKEN } from '../calls/call-bounds.ts'
import type { ParsedCall } from '../calls/parsed-call.ts'

/** Speech has at least 10 characters a second, and OpenAI counts 20 tokens for a second of it. */
const SOUND_TOKENS_PER_CHARACTER = 2

/**
 * Pictures, characters and seconds become tokens if only tokens have a price: usage must never be free because it was counted in
 * other units. Usage that also counts tokens of its kind is left unchanged. If calls have a price, this was one call.
 */
export function inPricedUnits(counts: TokenCounts, { units: priced = NO_UNITS }: Rates): TokenCounts {
  const used = counts.units === undefined ? counts : withoutUnpriced(counts, counts.units, priced)
  return priced.call === undefined ? used : { ...used, units: { ...used.units, call: 1 } }
}

/** The units other than tokens that a call can be priced by. */
const PIECES = ['character', 'audio_ms', 'search'] as const

/** If only seconds, characters or searches have a price, the request's own units replace the provider's token count. */
export function withPieces(counted: TokenCounts, rates: Rates, parsed: Pick<ParsedCall, 'ownCounts'>): TokenCounts {
  const { units: priced = NO_UNITS, input, output } = rates
  const isByPiece = PIECES.some((name) => priced[name] !== undefined)
  const hasTokens = [input, output, priced.audio_input, priced.audio_output].some((rate) => (rate ?? 0n) > 0n)
  if (!isByPiece || hasTokens) return counted
  if (PIECES.some((name) => counted.units?.[name] !== undefined)) return counted
  return { ...counted, units: { ...parsed.ownCounts({ prompt: 0, output: 0 }).units, ...counted.units } }
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
