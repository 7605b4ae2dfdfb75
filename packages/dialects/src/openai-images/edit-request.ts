import { type BodyRefusal, invalidField, isBodyRefusal } from '../body-refusal.ts'
import { readForm } from '../multipart/form-fields.ts'
import { type FormPart, formText } from '../multipart/form.ts'
import { isList, isNull, isRefused, readModel, readText, readWhole, RequestFields } from '../request-fields.ts'
import { keySet } from '../splice/key-set.ts'
import { arrayElements, isScanFault, type Span, scanObject } from '../splice/scan.ts'
import { NO_STEERING } from '../steering.ts'
import { IMAGE_KEYS, type ImageRequest, PICTURES_LIMIT, PROMPT_LIMIT, readImageFields, readWord } from './request.ts'

/** The members of a body for `/v1/images/edits` or `/v1/images/variations` that the gateway needs. */
export interface ImageEditRequest extends ImageRequest {
  /** Pictures in the request, including masks. */
  readonly given: number
}

/** OpenAI's SDK sends several pictures as `image[]`. */
const PICTURES = new Set(['image', 'image[]', 'mask'])
const NAMES = { fields: new Set(['model', 'prompt', 'n', 'size', 'quality', 'stream']), files: PICTURES }

/** For forms. Variations have no prompt. */
export function readImageForm(body: Uint8Array, boundary: string, hasPrompt: boolean): ImageEditRequest | BodyRefusal {
  const parts = readForm(body, boundary, NAMES)
  if (isBodyRefusal(parts)) return parts
  const fields = new Map<string, FormPart>()
  let given = 0
  for (const part of parts) {
    fields.set(part.name, part)
    if (!PICTURES.has(part.name)) continue
    if (part.content.start === part.content.end) return invalidField(part.name, 'must not be empty')
    given += 1
  }
  const text = (name: string) => {
    const part = fields.get(name)
    return part === undefined ? null : formText(body, part)
  }
  const model = readModel(text('model'))
  if (isRefused(model)) return model
  if (!fields.has('image') && !fields.has('image[]')) return invalidField('image', 'is required')
  const prompt = hasPrompt ? readText('prompt', text('prompt'), PROMPT_LIMIT) : ''
  if (isRefused(prompt)) return prompt
  const n = readWhole('n', numberOf(text('n')), { min: 1, max: PICTURES_LIMIT, absent: 1 })
  if (isRefused(n)) return n
  const stream = text('stream')?.toLowerCase() ?? 'false'
  if (stream !== 'true' && stream !== 'false') return invalidField('stream', 'must be true or false')
  const size = readWord('size', text('size') || null)
  if (isRefused(size)) return size
  const quality = readWord('quality', text('quality') || null)
  if (isRefused(quality)) return quality
  const span = fields.get('model')?.content
  if (span === undefined) return invalidField('model', 'is required')
  const promptBytes = bytesOf(fields.get('prompt')?.content)
  const spans = { body: { start: 0, end: body.length }, model: span }
  const steering = NO_STEERING
  return { model, stream: stream === 'true', n, size, quality, steering, promptBytes, spans, given }
}

/** The text as a number; unchanged if it is not one. */
function numberOf(text: string | null): number | string | null {
  return text !== null && /^\d{1,3}$/.test(text) ? Number(text) : text
}

const bytesOf = (span: Span | undefined) => (span === undefined ? 0 : span.end - span.start)

const EDIT_KEYS = keySet(...IMAGE_KEYS.names, 'image', 'images', 'mask')
const FILE_KEYS = keySet('file_id')
/** As many as a form has parts; OpenAI accepts 16. */
const GIVEN_LIMIT = 64

/** For JSON, with pictures as addresses or inline: `image`, `images` and `mask` (OpenAI, xAI). */
export function readImageEdit(body: Uint8Array): ImageEditRequest | BodyRefusal {
  const fields = RequestFields.read(body, EDIT_KEYS)
  if (isBodyRefusal(fields)) return fields
  const request = readImageFields(body, fields)
  if (isBodyRefusal(request)) return request
  let given = 0
  for (const name of ['image', 'images', 'mask'] as const) {
    const span = fields.spans[name]
    if (span === undefined || isNull(body, span)) continue
    for (const picture of isList(body, span) ? arrayElements(body, span) : [span]) {
      if (namesFile(body, picture)) {
        return invalidField(`${name}.file_id`, 'is not available: files belong to the provider’s account')
      }
      given += 1
      if (given > GIVEN_LIMIT) return invalidField(name, `must contain at most ${GIVEN_LIMIT} images`)
    }
  }
  return given === 0 ? invalidField('image', 'is required') : { ...request, given }
}

/** A file is identified only by its id, whichever account uploaded it. */
function namesFile(body: Uint8Array, { start, end }: Span): boolean {
  if (body[start] !== 0x7b) return false
  const scanned = scanObject(body, FILE_KEYS, { at: start, end })
  return isScanFault(scanned) || scanned.values.file_id !== undefined
}
