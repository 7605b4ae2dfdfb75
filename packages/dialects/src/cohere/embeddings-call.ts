import type { CallTranslation, DecodedCall, Encoded, Inexpressible } from '../canon/codec.ts'
import { Losses } from '../canon/losses.ts'
import { asObject, type JsonObject } from '../json-value.ts'
import { embeddingsReply } from '../openai-embeddings/embeddings-reply.ts'
import { inputTexts } from '../openai-embeddings/request.ts'
import { usageOfReply } from '../usage/usage-report.ts'
import { cohereUsage } from './usage.ts'

/**
 * `/v1/embeddings` as Cohere's `/v2/embed`. Cohere requires the purpose of the vectors, which OpenAI's format lacks: clients can
 * give it in `input_type`; by default the vectors are for documents to be searched.
 */
export const cohereEmbeddings: CallTranslation = {
  encode(request, model) {
    const encoded = encodeEmbed(request)
    return 'rule' in encoded ? encoded : { ...encoded, body: { model, ...encoded.body } }
  },
  decode: decodeEmbed,
}

/** Cohere's body without the model, which Bedrock names in the path. */
export function encodeEmbed(request: JsonObject): Encoded | Inexpressible {
  const losses = new Losses()
  const texts = inputTexts(request)
  if ('rule' in texts) return texts
  const { input: _, model: __, encoding_format: ___, dimensions, input_type: purpose, truncate, ...rest } = request
  for (const [name, value] of Object.entries(rest)) if (value !== null) losses.dropped(name)
  const body = {
    texts,
    input_type: typeof purpose === 'string' ? purpose : 'search_document',
    embedding_types: ['float'],
    ...(typeof dimensions === 'number' ? { output_dimension: dimensions } : {}),
    ...(typeof truncate === 'string' ? { truncate } : {}),
  }
  return { body, losses: losses.list() }
}

/** Vectors are listed by type or, in answers of Bedrock's older models, in a plain list. */
export function decodeEmbed(reply: JsonObject, request: JsonObject): DecodedCall | { readonly invalid: string } {
  const { embeddings } = reply
  const vectors = asObject(embeddings)?.['float'] ?? embeddings
  return embeddingsReply(vectors, request, usageOfReply(cohereUsage, reply))
}
