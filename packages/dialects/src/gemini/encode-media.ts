import type { Inexpressible } from '../canon/codec.ts'
import type { Losses } from '../canon/losses.ts'
import type { JsonObject } from '../json-value.ts'
import { type MediaPart, mimeOfUri } from './media.ts'

/** The type of a file where it is unknown. */
const UNKNOWN = 'application/octet-stream'

/** A picture, a sound, a video or a document. Google fetches public addresses itself. */
export function encodeMedia(part: MediaPart, field: string, losses: Losses): JsonObject | Inexpressible {
  const { source } = part
  if (part.kind === 'image' && part.detail !== undefined && part.detail !== 'auto') losses.dropped('detail')
  if (part.kind === 'file' && part.name !== undefined) losses.dropped('filename')
  if (source.type === 'base64') {
    return { inlineData: { mimeType: source.mime === '' ? UNKNOWN : source.mime, data: source.data } }
  }
  if (source.type === 'file-id' && source.dialect !== 'gemini') {
    return { field, rule: 'must not name a file that was uploaded to another provider' }
  }
  const mimeType = source.mime ?? mimeOfUri(source)
  const fileUri = source.type === 'url' ? source.url : source.id
  return { fileData: { fileUri, ...(mimeType === '' ? {} : { mimeType }) } }
}
