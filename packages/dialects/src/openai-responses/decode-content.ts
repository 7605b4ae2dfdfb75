import type { FieldReader } from '../canon/field-reader.ts'
import type { AudioPart, CacheMark, FilePart, ImagePart, OpaquePart, RefusalPart, TextPart } from '../canon/parts.ts'
import { asObject, type JsonObject } from '../json-value.ts'
import { AUDIO_TYPES, sourceOfFileData, sourceOfUrl } from './media.ts'

export type ContentPart = TextPart | ImagePart | AudioPart | FilePart | RefusalPart | OpaquePart

/** The content of a message or the output of a tool: a text, or a list of parts. */
export function decodeContent(read: FieldReader, content: unknown, field: string): readonly ContentPart[] {
  return read.content(content, field, (part, path) => decodePart(read, part, path))
}

function decodePart(read: FieldReader, part: JsonObject, path: string): readonly ContentPart[] {
  const type = read.needText(part['type'], `${path}.type`)
  const cache = cacheOf(part['prompt_cache_breakpoint'])
  const marked = cache === undefined ? {} : { cache }
  switch (type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return [{ kind: 'text', text: read.needText(part['text'], `${path}.text`), ...marked }]
    case 'refusal':
      return [{ kind: 'refusal', text: read.needText(part['refusal'], `${path}.refusal`) }]
    case 'input_image':
      return decodeImage(read, part, path, marked)
    case 'input_file':
      return decodeFile(read, part, path, marked)
    case 'input_audio':
      return decodeAudio(read, part, path)
    default:
      return [{ kind: 'opaque', dialect: 'openai-responses', name: type, value: part }]
  }
}

function decodeImage(
  read: FieldReader,
  part: JsonObject,
  path: string,
  marked: { readonly cache?: CacheMark },
): readonly ImagePart[] {
  const detail = read.text(part['detail'], `${path}.detail`)
  // In chat this is an object, and many clients were written for chat.
  const url = read.text(asObject(part['image_url'])?.['url'] ?? part['image_url'], `${path}.image_url`)
  const id = read.text(part['file_id'], `${path}.file_id`)
  const more = { ...(detail === undefined ? {} : { detail }), ...marked }
  if (url !== undefined) return [{ kind: 'image', source: sourceOfUrl(url), ...more }]
  if (id !== undefined)
    return [{ kind: 'image', source: { type: 'file-id', id, dialect: 'openai-responses' }, ...more }]
  read.refuse(path, 'must have an image_url or a file_id')
  return []
}

function decodeFile(
  read: FieldReader,
  part: JsonObject,
  path: string,
  marked: { readonly cache?: CacheMark },
): readonly FilePart[] {
  const name = read.text(part['filename'], `${path}.filename`)
  const data = read.text(part['file_data'], `${path}.file_data`)
  const url = read.text(part['file_url'], `${path}.file_url`)
  const id = read.text(part['file_id'], `${path}.file_id`)
  const more = { ...(name === undefined ? {} : { name }), ...marked }
  if (data !== undefined) return [{ kind: 'file', source: sourceOfFileData(data, name), ...more }]
  if (url !== undefined) return [{ kind: 'file', source: { type: 'url', url }, ...more }]
  if (id !== undefined) return [{ kind: 'file', source: { type: 'file-id', id, dialect: 'openai-responses' }, ...more }]
  read.refuse(path, 'must have file_data, a file_url or a file_id')
  return []
}

function decodeAudio(read: FieldReader, part: JsonObject, path: string): readonly AudioPart[] {
  const audio = read.object(part['input_audio'], `${path}.input_audio`)
  const data = read.needText(audio?.['data'], `${path}.input_audio.data`)
  const format = read.oneOf(audio?.['format'], `${path}.input_audio.format`, Object.keys(AUDIO_TYPES)) ?? 'wav'
  return [{ kind: 'audio', source: { type: 'base64', mime: AUDIO_TYPES[format] ?? 'audio/wav', data } }]
}

/** OpenAI's marks last half an hour or twelve hours; those of other dialects five minutes or one hour. */
function cacheOf(mark: unknown): CacheMark | undefined {
  const breakpoint = asObject(mark)
  if (breakpoint === undefined) return undefined
  return { ttl: breakpoint['ttl'] === '12h' ? '1h' : '5m' }
}
