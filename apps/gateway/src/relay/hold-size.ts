import type { ChatRequest } from '@sluice/dialects/openai-chat/identify'
import { charge, type Price, type Rates } from '@sluice/ledger/pricing'
import type { Mq } from '@sluice/ledger/units'
import { dearestRates } from '@sluice/providers/prices/quote'
import type { Candidate } from './plan.ts'

/**
 * Upper bound of the prompt's tokens. The family's cheap estimate is 0.38 tokens per byte, which covers prose in any
 * language (English needs 0.24, Chinese 0.27 to 0.35); a third more covers dense code, digits and escapes.
 */
const TOKENS_PER_BYTE = 0.5
/** Roles, separators and the start of the answer. */
const FRAME_TOKENS = 16
/** A large picture in tiles, or a page; more than that is bounded by its bytes. */
const TOKENS_PER_MEDIUM = 2_000
const MEDIA_BYTES_PER_TOKEN = 64
/**
 * Least tokens held for a plain answer without a cap: it cannot be extended while it comes. The model's own limit would be
 * exact, but would hold a dollar for a one-cent call; what an answer costs beyond this is still charged in full.
 */
const LEAST_PLAIN_OUTPUT = 4_096

/** Prompt tokens that the request can cost at most, by its bytes. */
export function promptBound(chat: ChatRequest, context: number | undefined): number {
  const media = chat.media.count * TOKENS_PER_MEDIUM + Math.ceil(chat.media.bytes / MEDIA_BYTES_PER_TOKEN)
  const tokens = FRAME_TOKENS + Math.ceil(chat.promptBytes * TOKENS_PER_BYTE) + media
  return context === undefined ? tokens : Math.min(tokens, context)
}

/** Output tokens to hold, and whether the answer can exceed them. */
export interface OutputBound {
  readonly tokens: number
  /** True when nothing caps the answer at this number: a stream then extends its hold as it grows. */
  readonly open: boolean
}

/** `preConsumed` is the option PreConsumedQuota, counted in tokens as in the family. */
export function outputBound(chat: ChatRequest, modelLimit: number | undefined, preConsumed: number): OutputBound {
  const limit = modelLimit ?? Infinity
  if (chat.maxOutput !== undefined) return { tokens: Math.min(chat.maxOutput, limit) * chat.n, open: false }
  const wanted = chat.stream ? preConsumed : Math.max(preConsumed, LEAST_PLAIN_OUTPUT)
  return limit <= wanted ? { tokens: limit * chat.n, open: false } : { tokens: wanted * chat.n, open: true }
}

export interface HoldSize {
  readonly amount: Mq
  /** True when some candidate's answer is not capped by the amount. */
  readonly open: boolean
}

/** The dearest candidate decides, so a retry never needs more than was held. */
export function holdSize(
  chat: ChatRequest,
  candidates: readonly Candidate[],
  groupRatio: bigint,
  preConsumed: number,
): HoldSize {
  let amount = 0n as Mq
  let open = false
  for (const { quote } of candidates) {
    const prompt = promptBound(chat, quote.context)
    const output = outputBound(chat, quote.maxOutput, preConsumed)
    const bound = chargeAtMost(prompt, output.tokens, dearestRates(quote, prompt, output.tokens), groupRatio)
    if (bound > amount) amount = bound
    open ||= output.open
  }
  return { amount, open }
}

/** Every prompt token at the dearest of its classes. */
export function chargeAtMost(prompt: number, output: number, rates: Rates, groupRatio: bigint): Mq {
  let input = rates.input
  if (rates.cacheWrite5m > input) input = rates.cacheWrite5m
  if (rates.cacheWrite1h > input) input = rates.cacheWrite1h
  const price: Price = { rates: { ...rates, input }, groupRatio, source: '' }
  return charge({ input: prompt, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output, reasoning: 0 }, price)
}
