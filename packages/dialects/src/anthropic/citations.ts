import type { Citation } from '../canon/events.ts'
import { asObject, type JsonObject } from '../json-value.ts'
import { UNSIGNED } from './answer-blocks.ts'

/** Documents and search blocks have no address, so their name is used instead. */
export function decodeCitation(value: unknown): Citation | undefined {
  const given = asObject(value)
  if (given === undefined) return undefined
  const title = textOf(given['title']) || textOf(given['document_title'])
  const quote = textOf(given['cited_text'])
  return {
    url: textOf(given['url']) || textOf(given['source']),
    ...(title === '' ? {} : { title }),
    ...(quote === '' ? {} : { quote }),
  }
}

/** Clients send the source back. Anthropic refuses an index that it did not create; this one is recognised and not sent there. */
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
