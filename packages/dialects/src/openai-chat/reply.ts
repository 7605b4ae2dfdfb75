import { type DeliveredText, textOfReply } from '../canon/delta-text.ts'
import { ERROR_MEMBERS, errorInside, ERRORS_BESIDE_CHOICES, type UpstreamError } from '../canon/upstream-error.ts'
import { referencesOf } from '../references.ts'
import { parseMembers } from '../reply-members.ts'
import { keySet } from '../splice/key-set.ts'
import { firstElement, isScanFault, parseSpan, scanObject, type ScannedObject, type Span } from '../splice/scan.ts'
import { outputCounted } from '../token-counts.ts'
import { type UsageReport, usageOfReply } from '../usage/usage-report.ts'
import { SPOKEN_ANSWERS } from './stored-objects.ts'
import { chatUsage } from './usage.ts'

/** The members of a plain (not streamed) reply that the gateway reads; the bytes themselves pass through. */
export interface ChatReply {
  readonly usage: UsageReport | undefined
  /** An error in a 200 body: treat the reply as an error. */
  readonly error: UpstreamError | undefined
  /** The answer's text, reasoning and tool arguments for counting; undefined if the usage already counts output. */
  readonly delivered: DeliveredText | undefined
  /** Ids of spoken answers. */
  readonly objects: readonly string[] | undefined
}

const KEYS = keySet('choices', 'usage', 'x_groq', ...ERROR_MEMBERS)
type Scanned = ScannedObject<(typeof KEYS.names)[number]>
const CHOICE_KEYS = keySet('usage')

/** Parses only small members, never the answer. `invalid` says why it is not a JSON object. */
export function readReply(body: Uint8Array): ChatReply | { readonly invalid: string } {
  const scanned = scanObject(body, KEYS, { duplicates: 'last' })
  if (isScanFault(scanned)) return { invalid: scanned.fault === 'syntax' ? scanned.reason : 'it is not a JSON object' }
  const first = firstChoice(body, scanned.values.choices)
  const error = readError(body, scanned, first)
  const usage = readUsage(body, scanned, first)
  const isUncounted = outputCounted(usage?.counts) === 0
  const objects = scanned.mayRefer ? referencesOf(body, scanned.values.choices, SPOKEN_ANSWERS) : undefined
  return { usage, error, objects, delivered: isUncounted && error === undefined ? textOfReply(body) : undefined }
}

function firstChoice(body: Uint8Array, choices: Span | undefined): Span | undefined {
  return choices === undefined || body[choices.start] !== 0x5b ? undefined : firstElement(body, choices)
}

function readError(body: Uint8Array, scanned: Scanned, first: Span | undefined): UpstreamError | undefined {
  // With this check, the members of nearly every reply need not be parsed.
  if (first !== undefined && ERRORS_BESIDE_CHOICES.every((name) => scanned.values[name] === undefined)) return undefined
  return errorInside({ ...parseMembers(body, scanned, ERROR_MEMBERS), choices: first === undefined ? [] : [{}] })
}

/** Reads the usage from its usual place, otherwise from those of Moonshot (the first choice) and Groq. */
function readUsage(body: Uint8Array, scanned: Scanned, first: Span | undefined): UsageReport | undefined {
  const usage = usageOfReply(chatUsage, parseMembers(body, scanned, ['usage']))
  if (usage !== undefined) return usage
  const choices = first === undefined ? [] : [usageMember(body, first)]
  return usageOfReply(chatUsage, { ...parseMembers(body, scanned, ['x_groq']), choices })
}

function usageMember(body: Uint8Array, { start, end }: Span): { readonly usage?: unknown } {
  const choice = scanObject(body, CHOICE_KEYS, { at: start, end, duplicates: 'last' })
  const usage = isScanFault(choice) ? undefined : choice.values.usage
  return usage === undefined ? {} : { usage: parseSpan(body, usage) }
}
