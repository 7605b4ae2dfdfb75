import type { Citation } from '../canon/events.ts'
import { asObject, type JsonObject } from '../json-value.ts'

/**
 * The sources of an answer: `groundingMetadata`, whose supports name a stretch of the text and the pages behind it, and
 * `citationMetadata`. Positions are bytes of UTF-8 there; they are returned as characters if they fit `text`, all text so far.
 */
export function citationsOf(candidate: JsonObject | undefined, text: string): readonly Citation[] {
  const grounding = asObject(candidate?.['groundingMetadata'])
  const quoted = asObject(candidate?.['citationMetadata'])
  if (grounding === undefined && quoted === undefined) return []
  const pages = objects(grounding?.['groundingChunks']).map(pageOf)
  const supports = objects(grounding?.['groundingSupports'])
  const grounded =
    supports.length === 0
      ? pages.flatMap((page) => page ?? [])
      : supports.flatMap((support) => supported(support, pages, text))
  const sources = objects(quoted?.['citationSources'] ?? quoted?.['citations']).flatMap(
    (source) => pageOf(source) ?? [],
  )
  return [...grounded, ...sources]
}

function supported(support: JsonObject, pages: readonly (Citation | undefined)[], text: string): readonly Citation[] {
  const segment = asObject(support['segment'])
  const quote = segment?.['text']
  const place = typeof quote === 'string' && quote !== '' ? { quote, ...placeOf(segment ?? {}, quote, text) } : {}
  const indices: unknown = support['groundingChunkIndices']
  return (Array.isArray(indices) ? indices : []).flatMap((index) => {
    const page = typeof index === 'number' ? pages[index] : undefined
    return page === undefined ? [] : [{ ...page, ...place }]
  })
}

/** A page of the web or of a map, or a document that was searched. */
function pageOf(chunk: JsonObject): Citation | undefined {
  const page = asObject(chunk['web'] ?? chunk['maps'] ?? chunk['retrievedContext']) ?? chunk
  const { uri, title } = page
  if (typeof uri !== 'string' || uri === '') return undefined
  return { url: uri, ...(typeof title === 'string' && title !== '' ? { title } : {}) }
}

function placeOf({ endIndex }: JsonObject, quote: string, text: string): Pick<Citation, 'start' | 'end'> {
  if (typeof endIndex !== 'number') return {}
  const end = new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, endIndex)).length
  const start = end - quote.length
  return start >= 0 && text.slice(start, end) === quote ? { start, end } : {}
}

function objects(list: unknown): readonly JsonObject[] {
  const items = (Array.isArray(list) ? list : []).map(asObject)
  return items.filter((item) => item !== undefined)
}
