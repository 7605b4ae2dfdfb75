import { type BodyRefusal, invalidField, isBodyRefusal } from '../body-refusal.ts'
import { readReferences, type Reference } from '../references.ts'
import { isNull, isRefused, readModel, refuseScan } from '../request-fields.ts'
import { keySet } from '../splice/key-set.ts'
import { isScanFault, parseScalar, scanObject, type ScannedObject, type Span } from '../splice/scan.ts'
import { readSteering, type Steering, STEERING_FIELDS } from '../steering.ts'
import { CHAT_REFERENCES } from './stored-objects.ts'

/** The members of a chat completions body that the gateway needs; everything else is passed on unread. */
export interface ChatRequest {
  readonly model: string
  readonly stream: boolean
  /** The client itself set `stream_options.include_usage: true`. */
  readonly wantsUsage: boolean
  /**
   * Output-token limit of one choice: the larger of `max_completion_tokens` and `max_tokens`, because upstreams differ in which one
   * they obey. Undefined if neither is given or one is 0, which some upstreams read as "no cap".
   */
  readonly maxOutput: number | undefined
  /** Number of choices, 1 to 128; output is charged per choice. */
  readonly n: number
  /** Bytes of messages, tools and response format without inline media, for the prompt estimate. */
  readonly promptBytes: number
  /** Inline images, audio and files (data: URLs and base64 fields). */
  readonly media: { readonly count: number; readonly bytes: number }
  readonly references: readonly Reference[]
  readonly steering: Steering
  readonly spans: ChatSpans
}

/** Where `rewriteChat` may splice. */
export interface ChatSpans {
  readonly body: Span
  readonly model: Span
  readonly messages: Span
  readonly streamOptions: Span | undefined
}

export const TOKENS_LIMIT = 2 ** 30
export const CHOICES_LIMIT = 128

const KEYS = keySet(
  'model',
  'messages',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'n',
  'tools',
  'functions',
  'response_format',
  ...STEERING_FIELDS,
)
type Key = (typeof KEYS.names)[number]
const STREAM_OPTION_KEYS = keySet('include_usage')

/**
 * Reads a whole request body. Refuses invalid JSON, anything but an object, a key of ours that appears twice, and wrong types in
 * the fields above; null counts as absent. The caller limits the body's size.
 */
export function identifyChat(body: Uint8Array): ChatRequest | BodyRefusal {
  const scanned = scanObject(body, KEYS)
  if (isScanFault(scanned)) return refuseScan(scanned, 'body')
  const field = (key: Key): unknown => {
    const span = scanned.values[key]
    return span === undefined ? null : parseScalar(body, span)
  }

  const { model: modelSpan, messages, stream_options: streamOptions } = scanned.values
  const model = readModel(field('model'))
  if (typeof model !== 'string') return model
  if (modelSpan === undefined) return invalidField('model', 'is required')

  if (messages === undefined) return invalidField('messages', 'is required')
  if (body[messages.start] !== 0x5b) return invalidField('messages', 'must be a list')
  if (isEmptyList(body, messages)) return invalidField('messages', 'must contain at least one message')

  const stream = field('stream') ?? false
  if (typeof stream !== 'boolean') return invalidField('stream', 'must be true or false')
  const wantsUsage = streamOptions === undefined ? false : readIncludeUsage(body, streamOptions)
  if (typeof wantsUsage !== 'boolean') return wantsUsage

  const steering = readSteering(body, scanned.values)
  if (isBodyRefusal(steering)) return steering

  const n = field('n') ?? 1
  if (!isWhole(n) || n < 1 || n > CHOICES_LIMIT)
    return invalidField('n', `must be a whole number from 1 to ${CHOICES_LIMIT}`)
  const caps: number[] = []
  for (const key of ['max_tokens', 'max_completion_tokens'] as const) {
    const cap = field(key)
    if (cap === null) continue
    if (!isWhole(cap) || cap < 0 || cap > TOKENS_LIMIT)
      return invalidField(key, `must be a whole number from 0 to ${TOKENS_LIMIT}`)
    caps.push(cap)
  }

  const references = readReferences(body, { spans: scanned.values, mayRefer: scanned.mayRefer }, CHAT_REFERENCES)
  if (isRefused(references)) return references

  return {
    model,
    stream,
    wantsUsage,
    maxOutput: caps.length === 0 || caps.includes(0) ? undefined : Math.max(...caps),
    n,
    promptBytes: promptBytes(scanned),
    steering,
    media: { count: scanned.mediaCount, bytes: scanned.mediaBytes },
    references,
    spans: { body: scanned.object, model: modelSpan, messages, streamOptions },
  }
}

export function readIncludeUsage(body: Uint8Array, span: Span): boolean | BodyRefusal {
  if (isNull(body, span)) return false
  const options = scanObject(body, STREAM_OPTION_KEYS, { at: span.start, end: span.end })
  if (isScanFault(options)) return refuseScan(options, 'stream_options')
  const value = options.values.include_usage
  const asked = value === undefined ? false : (parseScalar(body, value) ?? false)
  return typeof asked === 'boolean' ? asked : invalidField('stream_options.include_usage', 'must be true or false')
}

function promptBytes(scanned: ScannedObject<Key>): number {
  let bytes = -scanned.mediaBytes
  for (const key of ['messages', 'tools', 'functions', 'response_format'] as const) {
    const span = scanned.values[key]
    if (span !== undefined) bytes += span.end - span.start
  }
  // Media can also be outside the counted members.
  return Math.max(0, bytes)
}

function isEmptyList(body: Uint8Array, { start, end }: Span): boolean {
  for (let i = start + 1; i < end - 1; i++) {
    if ((body[i] ?? 0) > 0x20) return false
  }
  return true
}

function isWhole(value: unknown): value is number {
  return Number.isInteger(value)
}
