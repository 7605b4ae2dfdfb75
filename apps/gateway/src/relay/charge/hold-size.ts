import type { TokenCounts } from '@sluice/dialects/token-counts'
import { ATOMS_PER_MQ, charge, type Price, type Rates } from '@sluice/ledger/pricing'
import type { Mq } from '@sluice/ledger/units'
import { chargeable, outputTokens, promptTokens } from '@sluice/providers/prices/chargeable'
import { dearestRates, type Quote } from '@sluice/providers/prices/quote'
import type { ParsedCall } from '../calls/parsed-call.ts'
import type { Candidate } from '../stages/planned.ts'
import { inPricedUnits } from './priced-units.ts'

export interface HoldSize {
  readonly amount: Mq
  /** True if the amount does not cap the answer of at least one candidate. */
  readonly open: boolean
}

/** The prices of one model's providers at OpenRouter differ by less than this factor. */
const STEERED_MULTIPLE = 5n
/** A tenth of a dollar, for work in addition to the answer: five web searches, or text recognition on fifty pages. */
const STEERED_EXTRA = 50_000_000n
const LIST_RATIO = 1_000_000n

/**
 * The most expensive candidate, at the ratio of its group, determines the amount, so a retry never needs more than was held. If a
 * client tells a provider how to choose, the charge can exceed the list price, so more is held.
 */
export function holdSize(
  parsed: Pick<ParsedCall, 'bound' | 'steering'>,
  candidates: readonly Pick<Candidate, 'quote' | 'groupRatio'>[],
  preConsumed: number,
): HoldSize {
  let amount = 0n as Mq
  let open = false
  let highest = 0n
  for (const { quote, groupRatio } of candidates) {
    highest = larger(highest, groupRatio)
    const bound = parsed.bound(quote, preConsumed)
    const tools = ((quote.heldForTools ?? 0n) * groupRatio) / ATOMS_PER_MQ
    const most = (chargeAtMost(bound.counts, quote, groupRatio) + tools) as Mq
    if (most > amount) amount = most
    open ||= bound.open
  }
  if (parsed.steering?.isDearer !== true) return { amount, open }
  return { amount: (amount * STEERED_MULTIPLE + (STEERED_EXTRA * highest) / LIST_RATIO) as Mq, open }
}

/** The maximum cost of these counts: every prompt token, and every answer token, at its highest price. */
export function chargeAtMost(counts: TokenCounts, quote: Quote, groupRatio: bigint): Mq {
  const rates = dearestRates(quote, promptTokens(counts), outputTokens(counts))
  return chargeFor(counts, { ...rates, input: dearestInput(rates), output: dearestOutput(rates) }, groupRatio)
}

/** The maximum cost of this much text: the prompt's text at the highest price for text. */
export function chargeForText(counts: TokenCounts, quote: Quote, groupRatio: bigint): Mq {
  const rates = dearestRates(quote, promptTokens(counts), outputTokens(counts))
  return chargeFor(counts, { ...rates, input: dearestText(rates) }, groupRatio)
}

function chargeFor(counts: TokenCounts, rates: Rates, groupRatio: bigint): Mq {
  const price: Price = { rates, groupRatio, source: '' }
  return charge(chargeable(inPricedUnits(counts, rates), rates), price)
}

function dearestText({ input, cacheWrite5m, cacheWrite1h }: Rates): bigint {
  return larger(input, larger(cacheWrite5m, cacheWrite1h))
}

/** A prompt can contain audio and pictures that cost more than text. */
function dearestInput(rates: Rates): bigint {
  const { units } = rates
  if (units === undefined) return dearestText(rates)
  const { audio_input: sound = 0n, cached_audio_input: cachedSound = 0n, video_input: film = 0n } = units
  const { image_input: picture = 0n, cached_image_input: cachedPicture = 0n } = units
  return [sound, cachedSound, picture, cachedPicture, film].reduce(larger, dearestText(rates))
}

/** An answer can contain them too. */
function dearestOutput({ output, units }: Rates): bigint {
  if (units === undefined) return output
  const { audio_output: sound = 0n, image_output: picture = 0n, reasoning_output: thought = 0n } = units
  return [sound, picture, thought].reduce(larger, output)
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)
