import type { Citation } from '../canon/events.ts'
import { asObject, type JsonObject } from '../json-value.ts'

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

export function encodeCitation({ url, title, quote }: Citation): JsonObject {
  return {
    type: 'web_search_result_location',
    url,
    title: title ?? null,
    cited_text: quote ?? '',
    encrypted_index: '',
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
