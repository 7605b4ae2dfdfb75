import type { Inexpressible } from '../canon/codec.ts'
import type { AudioPart, FilePart, ImagePart, MediaSource, VideoPart } from '../canon/parts.ts'
import type { JsonObject } from '../json-value.ts'

type Medium = ImagePart | AudioPart | VideoPart | FilePart

/** The media types that Converse accepts, with its names for them. */
const FORMATS: Readonly<Record<Medium['kind'], Readonly<Record<string, string>>>> = {
  image: { 'image/png': 'png', 'image/jpeg': 'jpeg', 'image/jpg': 'jpeg', 'image/gif': 'gif', 'image/webp': 'webp' },
  audio: {
    'audio/mpeg': 'mp3',
    'audio/mp3': 'mp3',
    'audio/wav': 'wav',
    'audio/x-wav': 'wav',
    'audio/aac': 'aac',
    'audio/flac': 'flac',
    'audio/ogg': 'ogg',
    'audio/opus': 'opus',
    'audio/mp4': 'mp4',
  },
  video: {
    'video/mp4': 'mp4',
    'video/quicktime': 'mov',
    'video/x-matroska': 'mkv',
    'video/webm': 'webm',
    'video/x-flv': 'flv',
    'video/mpeg': 'mpeg',
    'video/x-ms-wmv': 'wmv',
    'video/3gpp': 'three_gp',
  },
  file: {
    'application/pdf': 'pdf',
    'text/csv': 'csv',
    'text/html': 'html',
    'text/plain': 'txt',
    'text/markdown': 'md',
    'application/msword': 'doc',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
    'application/vnd.ms-excel': 'xls',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  },
}

const BLOCK_NAMES = { image: 'image', audio: 'audio', video: 'video', file: 'document' } as const
const NAME_LIMIT = 200

/** The block of a picture, audio, a video or a document. `names` are the names of earlier documents. */
export function encodeMedium(part: Medium, field: string, names: Set<string>): JsonObject | Inexpressible {
  const source = encodeSource(part.source)
  if (source === undefined) {
    const rule = `must contain the ${part.kind} itself as base64, or an s3:// URL: the provider does not fetch other URLs`
    return { field, rule }
  }
  const format = formatOf(part)
  if (format === undefined) {
    const known = [...new Set(Object.values(FORMATS[part.kind]))].join(', ')
    return { field, rule: `must be in a format that the provider accepts: ${known}` }
  }
  const name = part.kind === 'file' ? { name: documentName(part.name, names) } : {}
  return { [BLOCK_NAMES[part.kind]]: { format, ...name, source } }
}

function encodeSource(source: MediaSource): JsonObject | undefined {
  if (source.type === 'base64') return { bytes: source.data }
  return source.type === 'url' && source.url.startsWith('s3://') ? { s3Location: { uri: source.url } } : undefined
}

/** From the media type, otherwise from the extension of the name or address. */
function formatOf({ kind, source, ...rest }: Medium): string | undefined {
  const formats = FORMATS[kind]
  const mime = source.mime?.split(';')[0]?.trim().toLowerCase() ?? ''
  const known = Object.hasOwn(formats, mime) ? formats[mime] : undefined
  if (known !== undefined) return known
  const place = source.type === 'url' ? source.url : 'name' in rest ? rest.name : undefined
  const ending = /[.]([a-z0-9]+)$/i.exec(place ?? '')?.[1]?.toLowerCase()
  const format = ending === 'jpg' ? 'jpeg' : ending
  return Object.values(formats).find((candidate) => candidate === format)
}

/** Only letters, digits, single spaces and `-()[]`, unique in a request. */
function documentName(name: string | undefined, taken: Set<string>): string {
  const clean = (name ?? '')
    .replace(/[^a-zA-Z0-9\-()[\]]+/g, ' ')
    .trim()
    .slice(0, NAME_LIMIT)
  const base = clean === '' ? 'document' : clean
  let unique = base
  for (let count = 2; taken.has(unique); count++) unique = `${base} (${count})`
  taken.add(unique)
  return unique
}
