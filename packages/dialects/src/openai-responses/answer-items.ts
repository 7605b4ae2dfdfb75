import type { Citation } from '../canon/events.ts'
import { asObject, type JsonObject } from '../json-value.ts'

/** The text of a reasoning item: the thoughts themselves if given, otherwise their summary. */
export function itemText(item: JsonObject): string {
  return textsOf(item['content']) || textsOf(item['summary'])
}

function textsOf(parts: unknown): string {
  if (!Array.isArray(parts)) return ''
  const texts = parts.map((part) => asObject(part)?.['text']).filter((text) => typeof text === 'string')
  return texts.filter((text) => text !== '').join('\n\n')
}

/** Files stored at the provider have no address, so they are cited by name. Undefined for annotations with neither. */
export function decodeCitation(annotation: unknown): Citation | undefined {
  const { url: given, title: titled, filename, start_index: start, end_index: end } = asObject(annotation) ?? {}
  const title = titled ?? filename
  const url = given ?? (typeof filename === 'string' ? '' : undefined)
  if (typeof url !== 'string') return undefined
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

/** Media type of a picture that the provider made; PNG by default. */
export function imageType(format: unknown): string {
  return `image/${IMAGE_FORMATS.find((known) => known === format) ?? 'png'}`
}

export function imageFormat(mime: string): string {
  return IMAGE_FORMATS.find((known) => mime === `image/${known}`) ?? 'png'
}
