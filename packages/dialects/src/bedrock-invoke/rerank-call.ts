import type { CallTranslation } from '../canon/codec.ts'
import { decodeRerank, encodeRerank } from '../cohere/rerank-call.ts'

/** `/v1/rerank` of the rerankers on Bedrock (Cohere's and Amazon's) through InvokeModel. The model is in the path. */
export const bedrockRerank: CallTranslation = {
  encode(request, model) {
    const encoded = encodeRerank(request)
    if ('rule' in encoded) return encoded
    const { max_tokens_per_doc: most, priority, ...body } = encoded.body
    const dropped = Object.entries({ max_tokens_per_doc: most, priority }).filter(([, value]) => value !== undefined)
    const losses = [...encoded.losses, ...dropped.map(([what]) => ({ what, became: 'dropped' }) as const)]
    return { body: /cohere/i.test(model) ? { api_version: 2, ...body } : body, losses }
  },
  /** Bedrock counts nothing in the body: each call is counted here. */
  decode: decodeRerank,
}
