import type { DeliveredText } from '@sluice/dialects/canon/delta-text'
import { outputCounted, promptTokensOf, type TokenCounts } from '@sluice/dialects/token-counts'
import { plainCounts } from '../calls/parsed-call.ts'
import type { RelayOptions } from '../relay-options.ts'
import type { Delivered } from '../stages/delivered.ts'
import type { Charged } from './ledger-rows.ts'
import { estimateTokens } from './tokenizer/count.ts'
import type { Tokenizer } from './tokenizer/tokenizer.ts'

export interface OwnCountsDeps {
  readonly tokenizer: Pick<Tokenizer, 'count'>
  readonly options: () => Pick<RelayOptions, 'ApproximateTokenEnabled'>
}

type Answer = Charged & Pick<Delivered, 'usage' | 'text'>

/** Larger bodies are estimated by their size, because counting them would cost more than it is worth. */
const COUNTED_BODY_LIMIT = 1_048_576

/** Whether something must be counted here before a whole answer is stored, charged and sent. */
export function lacksCounts(delivered: Delivered): boolean {
  if (delivered.outcome.ending !== 'complete' || delivered.parsed.withUsage === undefined) return false
  const missing = missingIn(delivered)
  return missing.prompt || missing.output
}

/** Adds the usage that the provider did not report to the end of a whole answer; many clients fail without it. */
export async function countMissing(deps: OwnCountsDeps, delivered: Delivered): Promise<Delivered> {
  const { parsed, plain, accepted, last, call } = delivered
  const counted = isNothing(delivered) ? plainCounts(0, 0) : await completeCounts(deps, delivered)
  const isStream = plain === undefined
  const repeated = call.stream?.repeated
  const created = Math.floor(accepted.received / 1_000)
  const end = { bytes: plain?.body ?? last, isStream, repeated, idSeed: accepted.id, created }
  const shown = parsed.withUsage?.(end, counted) ?? end.bytes
  if (plain === undefined) return { ...delivered, counted, last: shown }
  const body = Buffer.from(shown.buffer, shown.byteOffset, shown.length)
  return { ...delivered, counted, last: body, plain: { ...plain, body } }
}

/** Nothing arrived, not even a count, so there is nothing to charge for. */
export function isNothing({ usage, text, parsed }: Answer): boolean {
  return parsed.hasText && usage?.counts === undefined && text?.text === '' && text.beyondBytes === 0
}

/** The provider's count, completed by the missing parts: everything, the prompt, or the text that arrived. */
export async function completeCounts(deps: OwnCountsDeps, answer: Answer): Promise<TokenCounts> {
  const reported = answer.usage?.counts
  const missing = missingIn(answer)
  if (reported !== undefined && !missing.prompt && !missing.output) return reported
  const own = await countHere(deps, answer, answer.text ?? NO_TEXT)
  if (reported === undefined) return own
  return {
    ...reported,
    ...(missing.prompt ? { input: own.input } : {}),
    ...(missing.output ? { output: own.output } : {}),
  }
}

/** A usage that arrives before the answer counts it as 0; a client that then leaves has still received the text. */
function missingIn({ usage, text, parsed }: Answer): { readonly prompt: boolean; readonly output: boolean } {
  const reported = usage?.counts
  if (reported === undefined) return { prompt: true, output: true }
  if (!parsed.hasText) return { prompt: false, output: false }
  const hasText = text !== undefined && (text.text !== '' || text.beyondBytes > 0)
  return { prompt: promptTokensOf(reported) === 0, output: outputCounted(reported) === 0 && hasText }
}

const NO_TEXT: DeliveredText = { text: '', beyondBytes: 0 }

async function countHere(
  { tokenizer, options }: OwnCountsDeps,
  { body, parsed, kind, candidate }: Charged,
  { text, beyondBytes }: DeliveredText,
): Promise<TokenCounts> {
  const { promptBytes } = parsed
  if (options().ApproximateTokenEnabled) {
    const output = estimateTokens(Buffer.byteLength(text) + beyondBytes)
    return parsed.ownCounts({ prompt: estimateTokens(promptBytes), output })
  }
  const isTooLarge = body.length > COUNTED_BODY_LIMIT || kind.body === 'form'
  const prompt = isTooLarge ? promptBytes : body
  const model = candidate.upstreamModel
  return parsed.ownCounts(await tokenizer.count({ model, prompt, text, beyondBytes }))
}
