import type { AnswerContext } from '../canon/codec.ts'
import type { Citation } from '../canon/events.ts'
import type { ReasoningSignature } from '../canon/parts.ts'
import { wrapSignature } from '../canon/signature.ts'
import type { JsonObject } from '../json-value.ts'
import { dataUrl } from '../openai-responses/media.ts'

/** The members at the start of every chunk and every reply. */
export function headOf({ idSeed, created, request }: AnswerContext, object: string): JsonObject {
  return { id: `chatcmpl-${idSeed}`, object, created, model: request.model }
}

/** `before`: characters of text before the cited block. Positions and titles are always sent: strict clients require them. */
export function encodeCitation({ url, title, quote, start = 0, end = start }: Citation, before: number): JsonObject {
  const place = { start_index: before + start, end_index: before + end }
  return {
    type: 'url_citation',
    url_citation: { url, title: title ?? url, ...(quote === undefined ? {} : { content: quote }), ...place },
  }
}

export function encodeImage(image: { readonly mime: string; readonly data: string }): JsonObject {
  return { type: 'image_url', image_url: { url: dataUrl(image) } }
}

/** A call's signature, in the member that Google's endpoint uses. Wrapped, so that it is not passed on to another provider. */
export function encodeCallSignature(signature: ReasoningSignature | undefined): JsonObject {
  return signature === undefined
    ? {}
    : { extra_content: { google: { thought_signature: wrapSignature(signature, 'openai-chat') } } }
}
