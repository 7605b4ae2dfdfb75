import { base64ToText } from '../canon/base64-text.ts'
import type { FilePart, ImagePart, MediaSource } from '../canon/parts.ts'
import type { JsonObject } from '../json-value.ts'

const PDF = 'application/pdf'
const IMAGE_TYPES: Readonly<Record<string, string>> = {
  'image/jpeg': 'image/jpeg',
  'image/jpg': 'image/jpeg',
  'image/png': 'image/png',
  'image/gif': 'image/gif',
  'image/webp': 'image/webp',
}

/** The `source` of a picture, or the rule that it breaks. */
export function encodeImage({ source }: ImagePart): JsonObject | string {
  if (source.type !== 'base64') return encodeReference(source)
  const type = Object.hasOwn(IMAGE_TYPES, source.mime.toLowerCase())
    ? IMAGE_TYPES[source.mime.toLowerCase()]
    : undefined
  if (type === undefined) return 'must be a JPEG, PNG, GIF or WebP picture: the provider does not accept others'
  return { type: 'base64', media_type: type, data: source.data }
}

/** The `source` of a document, or the rule that it breaks. Anthropic reads PDFs and plain text. */
export function encodeDocument({ source }: FilePart): JsonObject | string {
  if (source.type !== 'base64') return encodeReference(source)
  const mime = source.mime.split(';')[0]?.trim().toLowerCase() ?? ''
  if (mime === PDF) return { type: 'base64', media_type: PDF, data: source.data }
  if (!TEXTUAL.test(mime)) return 'must be a PDF or a text: the provider does not accept other files'
  const data = base64ToText(source.data)
  return data === undefined ? 'must be base64 of UTF-8 text' : { type: 'text', media_type: 'text/plain', data }
}

const TEXTUAL = /^text\/|^application\/(?:json|xml|yaml|x-yaml|javascript)$/

function encodeReference(source: Exclude<MediaSource, { readonly type: 'base64' }>): JsonObject | string {
  if (source.type === 'url') return { type: 'url', url: source.url }
  return source.dialect === 'anthropic-messages'
    ? { type: 'file', file_id: source.id }
    : 'must not name a file that was uploaded to another provider'
}
