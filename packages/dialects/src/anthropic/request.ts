import { type BodyRefusal, invalidField, isBodyRefusal } from '../body-refusal.ts'
import { TOKENS_LIMIT } from '../openai-chat/identify.ts'
import { readReferences, type Reference } from '../references.ts'
import { isList, isNull, isRefused, readFlag, readModel, readWhole, RequestFields } from '../request-fields.ts'
import { keySet } from '../splice/key-set.ts'
import { type Span } from '../splice/scan.ts'
import { insertText, type Splice } from '../splice/splice.ts'
import { readSteering, type Steering, STEERING_FIELDS } from '../steering.ts'
import { MESSAGES_REFERENCES } from './stored-objects.ts'

/** The members of a `/v1/messages` body that the gateway needs; everything else is passed on unread. */
export interface MessagesRequest {
  readonly model: string
  readonly stream: boolean
  readonly steering: Steering
  /** Output-token limit, including thinking. */
  readonly maxOutput: number
  /** Bytes of messages, system and tools without inline media, for the prompt estimate. */
  readonly promptBytes: number
  readonly media: { readonly count: number; readonly bytes: number }
  /** The provider stores the conversation, and the next request continues it by this answer's id. */
  readonly isThreaded: boolean
  /** A later request can be compared with this one by its answer's id. */
  readonly isDiagnosed: boolean
  readonly references: readonly Reference[]
  readonly spans: { readonly body: Span; readonly model: Span; readonly system: Span | undefined }
}

const KEYS = keySet(
  'model',
  'messages',
  'system',
  'tools',
  'output_config',
  'output_format',
  'stream',
  'max_tokens',
  'thread',
  'container',
  'diagnostics',
  ...STEERING_FIELDS,
)

/** `max_tokens` is required, as by Anthropic's own server: it limits the possible charge. */
export function readMessagesRequest(body: Uint8Array): MessagesRequest | BodyRefusal {
  const fields = RequestFields.read(body, KEYS)
  if (isBodyRefusal(fields)) return fields
  const counted = readPrompt(body, fields)
  if (isBodyRefusal(counted)) return counted
  const stream = readFlag('stream', fields.value('stream'))
  if (isRefused(stream)) return stream
  const steering = readSteering(body, fields.spans)
  if (isBodyRefusal(steering)) return steering
  const cap = readWhole('max_tokens', fields.value('max_tokens'), { min: 1, max: TOKENS_LIMIT, absent: 0 })
  if (isRefused(cap)) return cap
  return cap === 0 ? invalidField('max_tokens', 'is required') : { ...counted, steering, stream, maxOutput: cap }
}

/** A body for `/v1/messages/count_tokens`: a prompt without answer settings. */
export function readCountRequest(
  body: Uint8Array,
): Omit<MessagesRequest, 'stream' | 'maxOutput' | 'steering'> | BodyRefusal {
  const fields = RequestFields.read(body, KEYS)
  return isBodyRefusal(fields) ? fields : readPrompt(body, fields)
}

function readPrompt(body: Uint8Array, fields: RequestFields<(typeof KEYS.names)[number]>) {
  const { spans, media } = fields
  const model = readModel(fields.value('model'))
  if (isRefused(model)) return model
  if (spans.model === undefined) return invalidField('model', 'is required')
  if (spans.messages === undefined) return invalidField('messages', 'is required')
  if (!isList(body, spans.messages)) return invalidField('messages', 'must be a list')
  const { thread } = spans
  const isThreaded = thread !== undefined && !isNull(body, thread)
  if (isThreaded && body[thread.start] !== OPEN_OBJECT) return invalidField('thread', 'must be an object')
  const references = readReferences(body, fields, MESSAGES_REFERENCES)
  if (isRefused(references)) return references
  const prompt = ['messages', 'system', 'tools', 'output_config', 'output_format'] as const
  const bytes = prompt.reduce((sum, name) => sum + fields.bytes(name), 0)
  return {
    model,
    promptBytes: Math.max(0, bytes - media.bytes),
    media,
    isThreaded,
    isDiagnosed: spans.diagnostics !== undefined && !isNull(body, spans.diagnostics),
    references,
    spans: { body: fields.object, model: spans.model, system: spans.system },
  }
}

const OPEN_OBJECT = 0x7b

export function setSystem({ spans }: Pick<MessagesRequest, 'spans'>, text: string): Splice {
  const { body: object, system } = spans
  const value = JSON.stringify(text)
  // The body contains at least a model, so the inserted member always needs a comma.
  if (system === undefined) return insertText(object.start + 1, `"system":${value},`)
  return { start: system.start, end: system.end, bytes: new TextEncoder().encode(value) }
}
