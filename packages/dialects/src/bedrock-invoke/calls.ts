import type { CallTranslation, DecodedCall, Encoded, Inexpressible } from '../canon/codec.ts'
import { Losses } from '../canon/losses.ts'
import { decodeEmbed, encodeEmbed } from '../cohere/embeddings-call.ts'
import { decodeRerank, encodeRerank } from '../cohere/rerank-call.ts'
import type { JsonObject } from '../json-value.ts'
import { embeddingsReply } from '../openai-embeddings/embeddings-reply.ts'
import { inputTexts } from '../openai-embeddings/request.ts'
import { imagesUsage } from '../openai-images/usage.ts'
import { count, tokenCounts } from '../usage/counts.ts'
import { usageOfReply } from '../usage/usage-report.ts'

/** `/v1/embeddings` for Amazon's Titan and Cohere's models on Bedrock, through InvokeModel. The model is in the path. */
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
    return { field: 'input', rule: 'must contain a single text: the provider embeds one per call' }
  }
  const { input: _, model: __, encoding_format: ___, dimensions, normalize, ...rest } = request
  for (const [name, value] of Object.entries(rest)) if (value !== null) losses.dropped(name)
  const sized = typeof dimensions === 'number' ? sizeOf(dimensions, model, losses) : {}
  return {
    body: { inputText, ...sized, ...(typeof normalize === 'boolean' ? { normalize } : {}) },
    losses: losses.list(),
  }
}

/** The image model has a different name for the vector size; the first text model has only one size. */
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

/** `/v1/rerank` for Cohere's and Amazon's rerankers on Bedrock, through InvokeModel. The model is in the path. */
export const bedrockRerank: CallTranslation = {
  encode(request, model) {
    const encoded = encodeRerank(request)
    if ('rule' in encoded) return encoded
    const { max_tokens_per_doc: most, priority, ...body } = encoded.body
    const dropped = Object.entries({ max_tokens_per_doc: most, priority }).filter(([, value]) => value !== undefined)
    const losses = [...encoded.losses, ...dropped.map(([what]) => ({ what, became: 'dropped' }) as const)]
    return { body: /cohere/i.test(model) ? { api_version: 2, ...body } : body, losses }
  },
  /** Bedrock reports no usage in the body, so each call is counted here. */
  decode: decodeRerank,
}

/** `/v1/images/generations` for Amazon's Titan and Nova Canvas, through InvokeModel. The model is in the path. */
export const bedrockPictures: CallTranslation = { encode, decode }

/** Amazon's limit for one call. */
const PICTURES_LIMIT = 5

function encode(request: JsonObject): Encoded | Inexpressible {
  const losses = new Losses()
  const { model: _, prompt, n, size, quality, response_format: format, stream: __, ...others } = request
  const { negative_prompt: negative, seed, cfg_scale: cfgScale, ...rest } = others
  if (typeof n === 'number' && n > PICTURES_LIMIT) {
    return { field: 'n', rule: `must be at most ${PICTURES_LIMIT} for this provider` }
  }
  if (format === 'url') losses.changed('response_format')
  for (const [name, value] of Object.entries(rest)) if (value !== null) losses.dropped(name)
  const body = {
    taskType: 'TEXT_IMAGE',
    textToImageParams: { text: prompt, ...(typeof negative === 'string' ? { negativeText: negative } : {}) },
    imageGenerationConfig: {
      numberOfImages: typeof n === 'number' ? n : 1,
      ...pictureSizeOf(size, losses),
      ...qualityOf(quality, losses),
      ...(typeof seed === 'number' ? { seed } : {}),
      ...(typeof cfgScale === 'number' ? { cfgScale } : {}),
    },
  }
  return { body, losses: losses.list() }
}

function pictureSizeOf(size: unknown, losses: Losses): JsonObject {
  if (typeof size !== 'string' || size === 'auto') return {}
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(size) ?? []
  if (width !== undefined && height !== undefined) return { width: Number(width), height: Number(height) }
  losses.dropped('size')
  return {}
}

function qualityOf(quality: unknown, losses: Losses): JsonObject {
  if (typeof quality !== 'string' || quality === 'auto') return {}
  if (quality !== 'standard' && quality !== 'hd') losses.changed('quality')
  return { quality: quality === 'hd' || quality === 'high' ? 'premium' : 'standard' }
}

/** `created` is missing, because Amazon reports no time. `error` gives the reason for withheld pictures, next to the others. */
function decode({ images, error }: JsonObject): DecodedCall | { readonly invalid: string } {
  const pictures = (Array.isArray(images) ? images : []).filter((image) => typeof image === 'string')
  if (pictures.length > 0) {
    const reply = { data: pictures.map((image) => ({ b64_json: image })) }
    return { reply, usage: usageOfReply(imagesUsage, reply) }
  }
  if (typeof error !== 'string') return { invalid: 'it does not contain any images' }
  return { reply: {}, usage: undefined, error: { message: error, type: undefined, code: 400, param: undefined } }
}
