import type { CallTranslation, DecodedCall, Encoded, Inexpressible } from '../../canon/codec.ts'
import { Losses } from '../../canon/losses.ts'
import { asObject, type JsonObject } from '../../json-value.ts'
import { embeddingsReply } from '../../openai-embeddings/embeddings-reply.ts'
import { inputTexts } from '../../openai-embeddings/request.ts'
import { count, tokenCounts } from '../../usage/counts.ts'
import { usageOfReply } from '../../usage/usage-report.ts'
import { geminiUsage } from '../usage.ts'

/**
 * `/v1/embeddings` as `batchEmbedContents`. Only later models count tokens. Clients can give the vectors' purpose in `task_type`.
 */
export const geminiEmbeddings: CallTranslation = {
  encode(request, model) {
    const embedding = readEmbedding(request)
    if ('rule' in embedding) return embedding
    const { texts, options, losses } = embedding
    const name = model.startsWith('models/') ? model : `models/${model}`
    const requests = texts.map((text) => ({ model: name, content: { parts: [{ text }] }, ...options }))
    return { body: { requests }, losses }
  },
  decode(reply, request) {
    const { embeddings } = reply
    const vectors = Array.isArray(embeddings) ? embeddings.map((item) => asObject(item)?.['values']) : undefined
    return embeddingsReply(vectors, request, usageOfReply(geminiUsage, reply))
  },
}

/** `/v1/embeddings` as `predict` of Vertex AI, which counts the tokens of each text. */
export const vertexEmbeddings: CallTranslation = {
  encode(request): Encoded | Inexpressible {
    const embedding = readEmbedding(request)
    if ('rule' in embedding) return embedding
    const { texts, options, losses } = embedding
    const { outputDimensionality, taskType } = options
    const purpose = taskType === undefined ? {} : { task_type: taskType }
    return {
      body: {
        instances: texts.map((content) => ({ content, ...purpose })),
        ...(outputDimensionality === undefined ? {} : { parameters: { outputDimensionality } }),
      },
      losses,
    }
  },
  decode(reply, request): DecodedCall | { readonly invalid: string } {
    const { predictions } = reply
    const found = (Array.isArray(predictions) ? predictions : []).map((item) =>
      asObject(asObject(item)?.['embeddings']),
    )
    const tokens = found.reduce((sum, item) => sum + tokensOf(item), 0)
    const usage = {
      counts: tokenCounts({ input: tokens }),
      reportedNanoUsd: undefined,
      own: { token_count: tokens },
    }
    return embeddingsReply(
      found.map((item) => item?.['values']),
      request,
      tokens === 0 ? undefined : usage,
    )
  },
}

interface Embedding {
  readonly texts: readonly string[]
  readonly options: { readonly outputDimensionality?: number; readonly taskType?: string }
  readonly losses: Encoded['losses']
}

function readEmbedding(request: JsonObject): Embedding | Inexpressible {
  const losses = new Losses()
  const texts = inputTexts(request)
  if ('rule' in texts) return texts
  const { input: _, model: __, encoding_format: ___, dimensions, task_type: purpose, ...rest } = request
  for (const [name, value] of Object.entries(rest)) if (value !== null) losses.dropped(name)
  const options = {
    ...(typeof dimensions === 'number' ? { outputDimensionality: dimensions } : {}),
    ...(typeof purpose === 'string' ? { taskType: purpose } : {}),
  }
  return { texts, options, losses: losses.list() }
}

function tokensOf(embedding: JsonObject | undefined): number {
  return count(asObject(embedding?.['statistics'])?.['token_count']) ?? 0
}
