import type { Refusal } from '@sluice/contract/errors'
import { type BodyRefusal, isBodyRefusal } from '@sluice/dialects/body-refusal'
import type { AnswerStream } from '@sluice/dialects/framing/answer-stream'
import { openTypedStream } from '@sluice/dialects/framing/typed-events'
import { asObject } from '@sluice/dialects/json-value'
import { formBoundary, formType } from '@sluice/dialects/multipart/form'
import { replaceText } from '@sluice/dialects/openai-chat/stream/rewrite'
import { readImageEdit, readImageForm } from '@sluice/dialects/openai-images/edit-request'
import { type ImageRequest, readImageRequest } from '@sluice/dialects/openai-images/request'
import { imagesUsage } from '@sluice/dialects/openai-images/usage'
import type { Splice } from '@sluice/dialects/splice/splice'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import type { Quote } from '@sluice/providers/prices/quote'
import { TextlessCall } from './body-call.ts'
import { promptBound, PICTURE_AS_TOKENS } from './call-bounds.ts'
import { readJsonAnswer, typedEvents } from './json-answer.ts'
import { type ParsedCall, type CallEdits, JSON_CALL, JSON_STREAM, plainCounts, type UsageBound } from './parsed-call.ts'

const GENERATIONS = { path: '/v1/images/generations', event: 'image_generation.completed' }
const EDITS = { path: '/v1/images/edits', event: 'image_edit.completed' }
const VARIATIONS = { path: '/v1/images/variations', event: 'image_variation.completed' }

export function readImageCall(body: Buffer): ParsedCall | BodyRefusal {
  const request = readImageRequest(body)
  return isBodyRefusal(request) ? request : new ImageCall(GENERATIONS, request, undefined)
}

/** `/v1/images/edits`: a form, whose pictures are passed on unchanged, or JSON. */
export function readEditCall(body: Buffer, contentType: string | undefined): ParsedCall | Refusal | BodyRefusal {
  if (!/^application\/json\s*(?:;|$)/i.test(contentType ?? '')) return readForm(EDITS, body, contentType)
  const request = readImageEdit(body)
  return isBodyRefusal(request) ? request : new ImageCall(EDITS, request, undefined)
}

/** `/v1/images/variations`: a picture without a prompt. */
export function readVariationCall(body: Buffer, contentType: string | undefined): ParsedCall | Refusal | BodyRefusal {
  return readForm(VARIATIONS, body, contentType)
}

function readForm(
  shape: typeof EDITS,
  body: Buffer,
  contentType: string | undefined,
): ParsedCall | Refusal | BodyRefusal {
  const boundary = formBoundary(contentType)
  if (boundary === undefined) {
    return { code: 'form_required', params: { got: (contentType ?? 'nothing').slice(0, 100) } }
  }
  const request = readImageForm(body, boundary, shape === EDITS)
  return isBodyRefusal(request) ? request : new ImageCall(shape, request, formType(boundary))
}

/** More than any provider counts for a picture, generated or read: OpenAI's largest at high quality has 6,240 tokens. */
const TOKENS_PER_PICTURE = 8_192
/** Previews of a streamed picture, 100 tokens each; at most three can be requested. */
const PREVIEW_TOKENS = 300

type ImageBody = ImageRequest & { readonly given?: number }

class ImageCall extends TextlessCall<ImageBody> implements ParsedCall {
  readonly path: string
  readonly picture: { readonly size: string; readonly quality: string }
  readonly #event: string
  readonly #isForm: boolean

  /** `formType` is the content type of a form; undefined for JSON. */
  constructor({ path, event }: typeof EDITS, request: ImageBody, formType: string | undefined) {
    super(request, headersFor(formType, request.stream))
    this.path = path
    this.#event = event
    this.#isForm = formType !== undefined
    this.picture = { size: request.size, quality: request.quality }
  }

  bound(quote: Quote): UsageBound {
    const { n, stream, given = 0 } = this.request
    const tokens = n * (TOKENS_PER_PICTURE + (stream ? PREVIEW_TOKENS : 0))
    const counts = plainCounts(promptBound(this.request, quote.context) + n * PICTURE_AS_TOKENS, 0)
    const units = { image: n, image_output: tokens, image_input: given * TOKENS_PER_PICTURE }
    return { counts: { ...counts, units }, open: false }
  }

  override edits(_: Buffer, { model }: CallEdits): readonly Splice[] | Refusal {
    const span = this.request.spans.model
    if (model === this.model) return []
    return [this.#isForm ? { ...span, bytes: Buffer.from(model) } : replaceText(span, model)]
  }

  override openStream(): AnswerStream {
    return openTypedStream(imagesUsage, { completes: (type) => type.endsWith('.completed'), parts: this.request.n })
  }

  readAnswer(body: Buffer) {
    return readJsonAnswer(imagesUsage, body)
  }

  override asEvents(body: Buffer): Uint8Array {
    const { data, usage } = JSON.parse(body.toString()) as Readonly<Record<string, unknown>>
    const pictures = Array.isArray(data) ? data.map(asObject) : []
    return typedEvents(pictures.map((picture) => ({ type: this.#event, ...picture, usage })))
  }

  override ownCounts({ prompt }: { readonly prompt: number }): TokenCounts {
    return { ...plainCounts(prompt, 0), units: { image: this.request.n } }
  }
}

function headersFor(formType: string | undefined, stream: boolean): readonly string[] {
  if (formType === undefined) return stream ? JSON_STREAM : JSON_CALL
  return ['content-type', formType, 'accept', stream ? 'text/event-stream' : 'application/json']
}
