import type { CallTranslation, DecodedCall, Encoded, Inexpressible } from '../canon/codec.ts'
import { Losses } from '../canon/losses.ts'
import { decodeEmbed, encodeEmbed } from '../cohere/embeddings-call.ts'
import type { JsonObject } from '../json-value.ts'
import { embeddingsReply } from '../openai-embeddings/embeddings-reply.ts'
import { inputTexts } from '../openai-embeddings/input-texts.ts'
import { count, tokenCounts } from '../usage/counts.ts'

/** `/v1/embeddings` of the models on Bedrock (Amazon's Titan and Cohere's) through InvokeModel. The model is in the path. */
export const bedrockEmbeddings: CallTranslation = {
  encode: (request, model) => (/cohere/i.test(model) ? encodeEmbed(request) : encodeTitan(request, model)),
  decode: (reply, request) => ('embedding' in reply ? decodeTitan(reply, request) : decodeEmbed(reply, request)),
}

/** Titan embeds one text per call. */
function encodeTitan(request: JsonObject, model: string): Encoded | Inexpressible {
  const losses = new Losses()
  const texts = inputTexts(request)
  if ('rule' in texts) return texts
  const [inputText] = texts
  if (inputText === undefined || texts.length > 1) {
    return { field: 'input', rule: 'must contain one text: the provider embeds one per call' }
  }
  const { input: _, model: __, encoding_format: ___, dimensions, normalize, ...rest } = request
  for (const [name, value] of Object.entries(rest)) if (value !== null) losses.dropped(name)
  const sized = typeof dimensions === 'number' ? sizeOf(dimensions, model, losses) : {}
  return {
    body: { inputText, ...sized, ...(typeof normalize === 'boolean' ? { normalize } : {}) },
    losses: losses.list(),
  }
}

/** The model for pictures has another name for it; the first model for text has one size only. */
function sizeOf(dimensions: number, model: string, losses: Losses): JsonObject {
  if (/embed-image/.test(model)) return { embeddingConfig: { outputEmbeddingLength: dimensions } }
  if (!/embed-text-v1\b/.test(model)) return { dimensions }
  losses.dropped('dimensions')
  return {}
}

function decodeTitan(reply: JsonObject, request: JsonObject): DecodedCall | { readonly invalid: string } {
  const tokens = count(reply['inputTextTokenCount'])
  const usage =
    tokens === undefined
      ? undefined
      : { counts: tokenCounts({ input: tokens }), reportedNanoUsd: undefined, own: { inputTextTokenCount: tokens } }
  return embeddingsReply([reply['embedding']], request, usage)
}
