import type { Citation } from '../canon/events.ts'
import { asObject, type JsonObject } from '../json-value.ts'
import { UNSIGNED } from './answer-blocks.ts'

/** Documents and search blocks have no address of their own; what names them stands for it. */
export function decodeCitation(value: unknown): Citation | undefined {
  const told = asObject(value)
  if (told === undefined) return undefined
  const title = textOf(told['title']) || textOf(told['document_title'])
  const quote = textOf(told['cited_text'])
  return {
    url: textOf(told['url']) || textOf(told['source']),
    ...(title === '' ? {} : { title }),
    ...(quote === '' ? {} : { quote }),
  }
}

/**
 * Clients give the source back with the text, and Anthropic refuses an index that it did not make: this one is found like a
 * foreign signature, so that it does not get there.
 */
export function encodeCitation({ url, title, quote }: Citation): JsonObject {
  return {
    type: 'web_search_result_location',
    url,
    title: title ?? url,
    cited_text: quote ?? '',
    encrypted_index: UNSIGNED,
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
