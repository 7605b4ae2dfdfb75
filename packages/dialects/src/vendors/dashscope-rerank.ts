import type { CallTranslation, DecodedCall, Encoded, Inexpressible } from '../canon/codec.ts'
import { Losses } from '../canon/losses.ts'
import { errorInside } from '../canon/upstream-error.ts'
import { cohereUsage } from '../cohere/usage.ts'
import { asObject, type JsonObject } from '../json-value.ts'
import { rerankResults } from '../rerank/documents.ts'
import { usageOfReply } from '../usage/usage-report.ts'

/**
 * `/v1/rerank` as DashScope's own call, `/api/v1/services/rerank/text-rerank/text-rerank`. Its image models accept objects, so
 * query and documents are sent unchanged.
 */
export const dashscopeRerank: CallTranslation = { encode, decode }

function encode(request: JsonObject, model: string): Encoded | Inexpressible {
  const losses = new Losses()
  const { model: _, query, documents, top_n: topN, return_documents: returned, instruct, ...rest } = request
  for (const [name, value] of Object.entries(rest)) if (value !== null) losses.dropped(name)
  const parameters = {
    ...(typeof topN === 'number' ? { top_n: topN } : {}),
    ...(typeof returned === 'boolean' ? { return_documents: returned } : {}),
    ...(typeof instruct === 'string' ? { instruct } : {}),
  }
  return { body: { model, input: { query, documents }, parameters }, losses: losses.list() }
}

function decode(reply: JsonObject, request: JsonObject): DecodedCall | { readonly invalid: string } {
  const results = rerankResults(asObject(reply['output'])?.['results'], request)
  const usage = usageOfReply(cohereUsage, reply)
  if (results === undefined) {
    const error = errorInside(reply)
    return error === undefined ? { invalid: 'it contains no results' } : { reply: {}, usage, error }
  }
  return { reply: { id: reply['request_id'], model: request['model'], results, usage: reply['usage'] }, usage }
}
