import type { FieldReader } from '../canon/field-reader.ts'
import type {
  AudioPart,
  CacheMark,
  FilePart,
  ImagePart,
  OpaquePart,
  ReasoningPart,
  RefusalPart,
  TextPart,
  VideoPart,
} from '../canon/parts.ts'
import { asObject, type JsonObject } from '../json-value.ts'
import { AUDIO_TYPES, sourceOfFileData, sourceOfUrl } from '../openai-responses/media.ts'

export type ContentPart =
  | TextPart
  | ImagePart
  | AudioPart
  | VideoPart
  | FilePart
  | RefusalPart
  | ReasoningPart
  | OpaquePart

/** `content` is a text, a list of parts, or absent. */
export function decodeContent(read: FieldReader, content: unknown, field: string): readonly ContentPart[] {
  return read.content(content, field, (part, path) => decodePart(read, part, path))
}

/** The cache mark of a part: Anthropic's, which many providers accept, or OpenAI's, which lasts half an hour or twelve hours. */
export function cacheOf(part: JsonObject): { readonly cache?: CacheMark } {
  const control = asObject(part['cache_control'])
  if (control !== undefined) return { cache: { ttl: control['ttl'] === '1h' ? '1h' : '5m' } }
  const breakpoint = asObject(part['prompt_cache_breakpoint'])
  return breakpoint === undefined ? {} : { cache: { ttl: breakpoint['ttl'] === '12h' ? '1h' : '5m' } }
}

function decodePart(read: FieldReader, part: JsonObject, path: string): readonly ContentPart[] {
  const type = read.needText(part['type'], `${path}.type`)
  switch (type) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return [{ kind: 'text', text: read.needText(part['text'], `${path}.text`), ...cacheOf(part) }]
    case 'refusal':
      return [{ kind: 'refusal', text: read.needText(part['refusal'], `${path}.refusal`) }]
    case 'image_url':
    case 'input_image':
      return decodeImage(read, part, path)
    case 'input_audio':
      return decodeAudio(read, part, path)
    case 'file':
    case 'input_file':
      return decodeFile(read, part, path)
    case 'video_url':
      return decodeVideo(read, part, path)
    case 'thinking': {
      const text = thoughtIn(part['thinking'])
      return text === '' ? [] : [{ kind: 'reasoning', text }]
    }
    default:
      return [{ kind: 'opaque', dialect: 'openai-chat', name: type, value: part }]
  }
}

/** Mistral's thoughts: a text, or a list of texts. */
export function thoughtIn(thinking: unknown): string {
  if (typeof thinking === 'string') return thinking
  const pieces: readonly unknown[] = Array.isArray(thinking) ? thinking : []
  return pieces
    .map((piece) => asObject(piece)?.['text'])
    .filter((text) => typeof text === 'string')
    .join('')
}

function decodeImage(read: FieldReader, part: JsonObject, path: string): readonly ImagePart[] {
  const image = asObject(part['image_url'])
  // Many clients send the address itself instead of an object.
  const url = read.needText(image?.['url'] ?? part['image_url'], `${path}.image_url.url`)
  const detail = read.text(image?.['detail'], `${path}.image_url.detail`)
  return [{ kind: 'image', source: sourceOfUrl(url), ...(detail === undefined ? {} : { detail }), ...cacheOf(part) }]
}

function decodeVideo(read: FieldReader, part: JsonObject, path: string): readonly VideoPart[] {
  const url = asObject(part['video_url'])?.['url'] ?? part['video_url']
  return [{ kind: 'video', source: sourceOfUrl(read.needText(url, `${path}.video_url.url`)) }]
}

function decodeAudio(read: FieldReader, part: JsonObject, path: string): readonly AudioPart[] {
  const audio = read.object(part['input_audio'], `${path}.input_audio`)
  const data = read.needText(audio?.['data'], `${path}.input_audio.data`)
  const format = read.text(audio?.['format'], `${path}.input_audio.format`) ?? 'wav'
  return [{ kind: 'audio', source: { type: 'base64', mime: AUDIO_TYPES[format] ?? `audio/${format}`, data } }]
}

function decodeFile(read: FieldReader, part: JsonObject, path: string): readonly FilePart[] {
  const file = read.object(part['file'], `${path}.file`) ?? part
  const name = read.text(file['filename'], `${path}.file.filename`)
  const data = read.text(file['file_data'], `${path}.file.file_data`)
  const id = read.text(file['file_id'], `${path}.file.file_id`)
  const more = { ...(name === undefined ? {} : { name }), ...cacheOf(part) }
  if (data !== undefined) {
    // OpenRouter accepts addresses in the same member.
    const source = /^https?:/i.test(data) ? sourceOfUrl(data) : sourceOfFileData(data, name)
    return [{ kind: 'file', source, ...more }]
  }
  if (id !== undefined) return [{ kind: 'file', source: { type: 'file-id', id, dialect: 'openai-chat' }, ...more }]
  read.refuse(`${path}.file`, 'must have file_data or a file_id')
  return []
}
