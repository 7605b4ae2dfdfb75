import { parseMembers } from '../reply-members.ts'
import { arrayElements, isScanFault, keySet, parseSpan, scanObject, type Span } from '../splice/scan.ts'
import { outputCounted } from '../token-counts.ts'
import { type UsageReport, usageOfReply } from '../usage/usage-report.ts'
import { type DeliveredText, textOfReply } from './delta-text.ts'
import { ERROR_MEMBERS, errorInside, type UpstreamError } from './errors.ts'
import { chatUsage } from './usage.ts'

/** What a plain (not streamed) reply holds for us. The bytes themselves pass through. */
export interface ChatReply {
  readonly usage: UsageReport | undefined
  /** An error inside a 200 body: treat the reply as the error it is. */
  readonly error: UpstreamError | undefined
  /** The answer's text, reasoning and tool arguments for counting; undefined when a usage tells that there is some. */
  readonly delivered: DeliveredText | undefined
}

const ANSWER_KEYS = ['choices', 'usage', 'x_groq'] as const
const KEYS = keySet(...ANSWER_KEYS, ...ERROR_MEMBERS)
const CHOICE_KEYS = keySet('usage')

/**
 * Scans a whole reply body; only small members are parsed, never the answer. `invalid` says why it is no JSON object.
 */
export function readReply(body: Uint8Array): ChatReply | { readonly invalid: string } {
  const scanned = scanObject(body, KEYS, { duplicates: 'last' })
  if (isScanFault(scanned)) return { invalid: scanned.fault === 'syntax' ? scanned.reason : 'it is not a JSON object' }
  const firstChoice = readFirstChoice(body, scanned.values.choices)

  const error = errorInside({
    ...parseMembers(body, scanned, ERROR_MEMBERS),
    choices: firstChoice === undefined ? [] : [firstChoice],
  })
  const members = { ...parseMembers(body, scanned, ['usage', 'x_groq']), choices: [firstChoice] }
  const usage = usageOfReply(chatUsage, members)
  const isUncounted = outputCounted(usage?.counts) === 0
  return { usage, error, delivered: isUncounted && error === undefined ? textOfReply(body) : undefined }
}

/** The first choice with nothing but its usage, which is where Moonshot puts it; undefined when there is no choice. */
function readFirstChoice(body: Uint8Array, choices: Span | undefined): { readonly usage?: unknown } | undefined {
  if (choices === undefined || body[choices.start] !== 0x5b) return undefined
  const first = arrayElements(body, choices).next()
  if (first.done === true) return undefined
  const choice = scanObject(body, CHOICE_KEYS, { at: first.value.start, end: first.value.end, duplicates: 'last' })
  const usage = isScanFault(choice) ? undefined : choice.values.usage
  return usage === undefined ? {} : { usage: parseSpan(body, usage) }
}
