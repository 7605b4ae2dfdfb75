import { encodeUsage as encodeMessagesUsage } from '../anthropic/encode-usage.ts'
import { encodeFinish } from '../anthropic/finish.ts'
import { encodeGeminiUsage } from '../gemini/encode-usage.ts'
import { asObject, type JsonObject, parseJson } from '../json-value.ts'
import { encodeUsage as encodeChatUsage } from '../openai-chat/encode-usage.ts'
import { encodeUsage as encodeResponsesUsage } from '../openai-responses/encode-usage.ts'
import { type KeySet, keySet } from '../splice/key-set.ts'
import { isScanFault, parseSpan, scanObject, type Span } from '../splice/scan.ts'
import { insertText, splice } from '../splice/splice.ts'
import { promptTokensOf, type TokenCounts } from '../token-counts.ts'

/** The end of an answer that has not been sent yet. */
export interface AnswerEnd {
  /** A whole body, or what ends a stream. */
  readonly bytes: Uint8Array
  readonly isStream: boolean
  /** Members that an event added to the stream must repeat, if its provider's events are known. */
  readonly repeated: JsonObject | undefined
  /** The answer's id and time (unix seconds) if `repeated` is undefined. */
  readonly idSeed: string
  readonly created: number
}

/** Adds the usage counted here to the end of an answer whose provider reported none or only part of it. */
export type WithUsage = (end: AnswerEnd, counts: TokenCounts) => Uint8Array

const USAGE = keySet('usage')
const USAGE_METADATA = keySet('usageMetadata')
const RESPONSE = keySet('response')

/** `/v1/chat/completions` and `/v1/completions`, whose streams report usage in a separate chunk on request. */
export function chatEnd(
  { object, model, wantsUsage }: { readonly object: string; readonly model: string; readonly wantsUsage: boolean },
  { bytes, isStream, repeated, idSeed, created }: AnswerEnd,
  counts: TokenCounts,
): Uint8Array {
  const usage = encodeChatUsage(counts)
  if (!isStream) return withMember(bytes, USAGE, usage)
  if (!wantsUsage) return bytes
  const prefix = object === 'text_completion' ? 'cmpl' : 'chatcmpl'
  const head = repeated ?? { id: `${prefix}-${idSeed}`, object, created, model }
  return joined(encode(`data: ${JSON.stringify({ ...head, choices: [], usage })}\n\n`), bytes)
}

export const embeddingsEnd: WithUsage = ({ bytes }, counts) => {
  const tokens = promptTokensOf(counts)
  return withMember(bytes, USAGE, { prompt_tokens: tokens, total_tokens: tokens })
}

/** `/v1/responses` and its compaction. */
export const responsesEnd: WithUsage = ({ bytes, isStream }, counts) => {
  const usage = encodeResponsesUsage(counts)
  if (!isStream) return withMember(bytes, USAGE, usage)
  const event = objectIn(bytes)
  const scanned = event && scanObject(bytes, RESPONSE, { at: event.start, end: event.end, duplicates: 'last' })
  const response = scanned === undefined || isScanFault(scanned) ? undefined : scanned.values.response
  return response === undefined ? bytes : withMember(bytes, USAGE, usage, response)
}

/** `/v1/messages`, whose streams report usage before they stop: again if the provider's own event has already been sent. */
export const messagesEnd: WithUsage = ({ bytes, isStream, repeated }, counts) => {
  const usage = encodeMessagesUsage(counts)
  if (!isStream) return withMember(bytes, USAGE, usage)
  const text = new TextDecoder().decode(bytes)
  const held = HELD_DELTA.exec(text)
  const delta = asObject(asObject(parseJson(held?.[1] ?? ''))?.['delta']) ?? repeated ?? UNKNOWN_STOP
  const event = { type: 'message_delta', delta, usage }
  const rest = held === null ? text : text.slice(held[0].length)
  return encode(`event: message_delta\ndata: ${JSON.stringify(event)}\n\n${rest}`)
}

/** The event as the encoder of translated messages writes it. */
const HELD_DELTA = /^event: message_delta\ndata: (.*)\n\n/
const UNKNOWN_STOP = encodeFinish(undefined)

/** `generateContent` and `streamGenerateContent`, whose last element is held back until the end, and the embeddings calls. */
export const geminiEnd: WithUsage = ({ bytes, isStream }, counts) => {
  const message = isStream ? objectIn(bytes) : { start: 0, end: bytes.length }
  return message === undefined ? bytes : withMember(bytes, USAGE_METADATA, encodeGeminiUsage(counts), message)
}

/** Members other than the counts are kept. */
function withMember<K extends string>(
  bytes: Uint8Array,
  keys: KeySet<K>,
  counted: JsonObject,
  { start, end }: Span = { start: 0, end: bytes.length },
): Uint8Array {
  const scanned = scanObject(bytes, keys, { at: start, end, duplicates: 'last' })
  const [name] = keys.names
  if (isScanFault(scanned) || name === undefined) return bytes
  const span = scanned.values[name]
  const own = span === undefined ? undefined : asObject(parseSpan(bytes, span))
  const value = JSON.stringify({ ...own, ...counted })
  const change =
    span === undefined
      ? insertText(scanned.object.start + 1, `"${name}":${value}${isEmpty(bytes, scanned.object) ? '' : ','}`)
      : { ...span, bytes: encode(value) }
  return splice(bytes, [change]).reduce(joined)
}

const OPEN = 0x7b
const CLOSE = 0x7d
const SPACE = 0x20

/** The only object in an event or in an element of a list. */
function objectIn(bytes: Uint8Array): Span | undefined {
  const start = bytes.indexOf(OPEN)
  return start < 0 ? undefined : { start, end: bytes.lastIndexOf(CLOSE) + 1 }
}

function isEmpty(bytes: Uint8Array, { start, end }: Span): boolean {
  return bytes.subarray(start + 1, end - 1).every((byte) => byte <= SPACE)
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

const encode = (text: string) => new TextEncoder().encode(text)
