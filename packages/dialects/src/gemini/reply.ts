import type { DeliveredText } from '../canon/delta-text.ts'
import { ERROR_MEMBERS, errorInside, type UpstreamError } from '../canon/upstream-error.ts'
import { parseExact } from '../exact-json.ts'
import { parseMembers } from '../reply-members.ts'
import { keySet } from '../splice/key-set.ts'
import { firstElement, isScanFault, parseSpan, scanObject, type Span } from '../splice/scan.ts'
import { outputCounted } from '../token-counts.ts'
import { type UsageReport, usageOfReply } from '../usage/usage-report.ts'
import { textOfParts } from './part-text.ts'
import { type GeminiFraming, StreamFraming } from './stream/stream-framing.ts'
import { geminiUsage } from './usage.ts'

/** The members of a whole answer that the gateway reads; the bytes themselves pass through. */
export interface GeminiReply {
  readonly usage: UsageReport | undefined
  readonly error: UpstreamError | undefined
  /** Text, thoughts and arguments for counting; undefined if the usage already counts output. */
  readonly delivered: DeliveredText | undefined
}

const MEMBERS = ['usageMetadata', 'modelVersion', ...ERROR_MEMBERS]
const KEYS = keySet('candidates', 'usageMetadata', 'modelVersion', ...ERROR_MEMBERS)
const CANDIDATE_KEYS = keySet('groundingMetadata')

/** Parses only small members, never the answer. `invalid` says why it is not a JSON object. */
export function readGeminiReply(body: Uint8Array): GeminiReply | { readonly invalid: string } {
  const scanned = scanObject(body, KEYS, { duplicates: 'last' })
  if (isScanFault(scanned)) return { invalid: scanned.fault === 'syntax' ? scanned.reason : 'it is not a JSON object' }
  const members = parseMembers(body, scanned, MEMBERS)
  const error = errorInside(members)
  const usage = usageOfReply(geminiUsage, { ...members, candidates: firstCandidate(body, scanned.values.candidates) })
  const isUncounted = outputCounted(usage?.counts) === 0 && error === undefined
  return { usage, error, delivered: isUncounted ? textOfParts(body) : undefined }
}

/** A whole reply as the stream that the client requested: a single message, which is also the last. */
export function geminiReplyAsEvents(body: Uint8Array, framing: GeminiFraming): Uint8Array {
  return new StreamFraming(framing).last(JSON.stringify(parseExact(new TextDecoder().decode(body))))
}

/** The charged searches of the first candidate, without their texts; a list of one. */
function firstCandidate(body: Uint8Array, candidates: Span | undefined): readonly object[] {
  if (candidates === undefined || body[candidates.start] !== 0x5b) return []
  const first = firstElement(body, candidates)
  if (first === undefined) return []
  const candidate = scanObject(body, CANDIDATE_KEYS, { at: first.start, end: first.end, duplicates: 'last' })
  const grounding = isScanFault(candidate) ? undefined : candidate.values.groundingMetadata
  return [grounding === undefined ? {} : { groundingMetadata: parseSpan(body, grounding) }]
}
