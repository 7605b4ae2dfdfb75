import type { CallTranslation, DecodedCall, Encoded, Inexpressible } from '../canon/codec.ts'
import { Losses } from '../canon/losses.ts'
import type { JsonObject } from '../json-value.ts'
import { rerankResults, rerankTexts } from '../rerank/documents.ts'
import { usageOfReply } from '../usage/usage-report.ts'
import { cohereUsage } from './usage.ts'

/** `/v1/rerank` as Cohere's `/v2/rerank`, which takes only texts and no longer returns the documents. */
export const cohereRerank: CallTranslation = {
  encode(request, model) {
    const encoded = encodeRerank(request)
    return 'rule' in encoded ? encoded : { ...encoded, body: { model, ...encoded.body } }
  },
  decode: decodeRerank,
}

/** Cohere's body without the model, which Bedrock names in the path. */
export function encodeRerank(request: JsonObject): Encoded | Inexpressible {
  const losses = new Losses()
  const texts = rerankTexts(request, losses)
  if ('rule' in texts) return texts
  const { model: _, query: __, documents: ___, return_documents: ____, top_n: topN, ...others } = request
  const { max_tokens_per_doc: most, priority, ...rest } = others
  for (const [name, value] of Object.entries(rest)) if (value !== null) losses.dropped(name)
  const body = {
    query: texts.query,
    documents: texts.documents,
    ...(typeof topN === 'number' ? { top_n: topN } : {}),
    ...(typeof most === 'number' ? { max_tokens_per_doc: most } : {}),
    ...(typeof priority === 'number' ? { priority } : {}),
  }
  return { body, losses: losses.list() }
}

export function decodeRerank(reply: JsonObject, request: JsonObject): DecodedCall | { readonly invalid: string } {
  const results = rerankResults(reply['results'], request)
  if (results === undefined) return { invalid: 'it contains no results' }
  return { reply: { ...reply, model: request['model'], results }, usage: usageOfReply(cohereUsage, reply) }
}
