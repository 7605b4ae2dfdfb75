import { type BodyRefusal, invalidField, isBodyRefusal } from '../body-refusal.ts'
import { isRefused, readFlag, readModel, readText, readWhole, RequestFields } from '../request-fields.ts'
import { keySet } from '../splice/key-set.ts'
import { type Span } from '../splice/scan.ts'
import { readSoleSteering, type Steering, STEERING_FIELDS } from '../steering.ts'

/** The members of a `/v1/images/generations` body that the gateway needs. */
export interface ImageRequest {
  readonly model: string
  readonly stream: boolean
  /** Number of requested pictures. */
  readonly n: number
  /** Size and quality as the client wrote them; empty if absent. */
  readonly size: string
  readonly quality: string
  readonly steering: Steering
  readonly promptBytes: number
  readonly spans: { readonly body: Span; readonly model: Span }
}

export const IMAGE_KEYS = keySet('model', 'prompt', 'n', 'size', 'quality', 'stream', ...STEERING_FIELDS)
export const PICTURES_LIMIT = 10
/** Characters; the longest that any provider accepts. */
export const PROMPT_LIMIT = 32_000
const WORD_LIMIT = 64
/** White space, for example, is excluded, because a provider might trim it and then the price would not match the word. */
const WORD = /^[\w.:*+-]+$/

export function readImageRequest(body: Uint8Array): ImageRequest | BodyRefusal {
  const fields = RequestFields.read(body, IMAGE_KEYS)
  return isBodyRefusal(fields) ? fields : readImageFields(body, fields)
}

/** Fields that generations and edits have in common. */
export function readImageFields(
  body: Uint8Array,
  fields: RequestFields<(typeof IMAGE_KEYS.names)[number]>,
): ImageRequest | BodyRefusal {
  const model = readModel(fields.value('model'))
  if (isRefused(model)) return model
  const prompt = readText('prompt', fields.value('prompt'), PROMPT_LIMIT)
  if (isRefused(prompt)) return prompt
  const n = readWhole('n', fields.value('n'), { min: 1, max: PICTURES_LIMIT, absent: 1 })
  if (isRefused(n)) return n
  const stream = readFlag('stream', fields.value('stream'))
  if (isRefused(stream)) return stream
  const size = readWord('size', fields.value('size'))
  if (isRefused(size)) return size
  const quality = readWord('quality', fields.value('quality'))
  if (isRefused(quality)) return quality
  const steering = readSoleSteering(body, fields.spans)
  if (isBodyRefusal(steering)) return steering
  const { model: span } = fields.spans
  if (span === undefined) return invalidField('model', 'is required')
  return {
    model,
    stream,
    n,
    size,
    quality,
    steering,
    promptBytes: fields.bytes('prompt'),
    spans: { body: fields.object, model: span },
  }
}

/** A size or a quality as the client wrote it; '' if absent. */
export function readWord(field: string, value: unknown): string | BodyRefusal {
  if (value === null) return ''
  const word = readText(field, value, WORD_LIMIT)
  return isRefused(word) || WORD.test(word) ? word : invalidField(field, 'must be one word, such as 1024x1024 or high')
}
