import type { AnswerContext } from '../canon/codec.ts'
import type { Citation } from '../canon/events.ts'
import type { ReasoningProof } from '../canon/parts.ts'
import { sealProof } from '../canon/proof.ts'
import type { JsonObject } from '../json-value.ts'
import { dataUrl } from '../openai-responses/media.ts'

/** What every chunk and every reply begins with. */
export function headOf({ idSeed, created, request }: AnswerContext, object: string): JsonObject {
  return { id: `chatcmpl-${idSeed}`, object, created, model: request.model }
}

/**
 * `before`: characters of the answer's text in front of the block that is cited. Places and titles are always told: clients
 * that check what they read refuse the whole answer without them.
 */
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

/**
 * A signature that belongs to a call, where Google's own endpoint of this dialect has it. Sealed, so that a conversation that
 * goes on at another provider is not passed on with it.
 */
export function encodeCallProof(proof: ReasoningProof | undefined): JsonObject {
  return proof === undefined
    ? {}
    : { extra_content: { google: { thought_signature: sealProof(proof, 'openai-chat') } } }
}
