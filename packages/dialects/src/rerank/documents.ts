import type { Inexpressible } from '../canon/codec.ts'
import type { Losses } from '../canon/losses.ts'
import { asObject, type JsonObject } from '../json-value.ts'

/** A rerank request as texts, for providers that accept nothing else. */
export interface RerankTexts {
  readonly query: string
  readonly documents: readonly string[]
}

/** Objects are sent as their `text`, otherwise whole, as JSON. */
export function rerankTexts({ query, documents }: JsonObject, losses: Losses): RerankTexts | Inexpressible {
  const requested = textOf(query)
  if (requested === undefined)
    return { field: 'query', rule: 'must be text: the provider does not accept anything else' }
  const list: readonly unknown[] = Array.isArray(documents) ? documents : []
  const texts = list.map((document) => {
    const text = textOf(document)
    if (text === undefined) losses.changed('documents')
    return text ?? JSON.stringify(document)
  })
  return { query: requested, documents: texts }
}

/** Adds the client's documents if it asked for them, because only some providers return them. Undefined for invalid results. */
export function rerankResults(results: unknown, request: JsonObject): readonly JsonObject[] | undefined {
  if (!Array.isArray(results)) return undefined
  const documents: readonly unknown[] = Array.isArray(request['documents']) ? request['documents'] : []
  const ranked = results.map(asObject).filter((result) => result !== undefined)
  if (ranked.length < results.length) return undefined
  return ranked.map(({ index, relevance_score: score, relevanceScore, document }) => {
    const own = typeof index === 'number' ? documents[index] : undefined
    const shown = document ?? (typeof own === 'string' ? { text: own } : own)
    const wanted = request['return_documents'] === true && shown !== undefined
    return { index, relevance_score: score ?? relevanceScore, ...(wanted ? { document: shown } : {}) }
  })
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  const text = asObject(value)?.['text']
  return typeof text === 'string' ? text : undefined
}
