import type { Citation } from '../canon/events.ts'
import { asObject, type JsonObject } from '../json-value.ts'

/** The readable text of a reasoning item: the thoughts themselves where they are given, otherwise their summary. */
export function itemText(item: JsonObject): string {
  return textsOf(item['content']) || textsOf(item['summary'])
}

function textsOf(parts: unknown): string {
  if (!Array.isArray(parts)) return ''
  const texts = parts.map((part) => asObject(part)?.['text']).filter((text) => typeof text === 'string')
  return texts.filter((text) => text !== '').join('\n\n')
}

/** Undefined for annotations that name no address: files at the provider. */
export function decodeCitation(annotation: unknown): Citation | undefined {
  const { type, url, title, start_index: start, end_index: end } = asObject(annotation) ?? {}
  if (type !== 'url_citation' || typeof url !== 'string') return undefined
  return {
    url,
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof start === 'number' ? { start } : {}),
    ...(typeof end === 'number' ? { end } : {}),
  }
}

export function encodeCitation({ url, title = '', start = 0, end = 0 }: Citation): JsonObject {
  return { type: 'url_citation', url, title, start_index: start, end_index: end }
}

const IMAGE_FORMATS = ['png', 'jpeg', 'webp']

/** Media type of a picture that the provider made; PNG if it names none. */
export function imageType(format: unknown): string {
  return `image/${IMAGE_FORMATS.find((known) => known === format) ?? 'png'}`
}

export function imageFormat(mime: string): string {
  return IMAGE_FORMATS.find((known) => mime === `image/${known}`) ?? 'png'
}
