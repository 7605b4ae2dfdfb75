import type { AudioPart, FilePart, ImagePart, MediaSource, VideoPart } from '../canon/parts.ts'

export type MediaPart = ImagePart | AudioPart | VideoPart | FilePart

/** Addresses that only Google can read. */
const GOOGLES_OWN = /^gs:\/\/|^https:\/\/(?:[a-z-]+\.)?googleapis\.com\/v\d\w*\/files\//
const YOUTUBE = /^https?:\/\/(?:www\.|m\.)?(?:youtube\.com|youtu\.be)\//

const BY_ENDING: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  heic: 'image/heic',
  pdf: 'application/pdf',
  txt: 'text/plain',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
}

/** A file by its address; only the provider itself can read some addresses. */
export function sourceOfUri(uri: string, mime: string | undefined): MediaSource {
  const named = mime === undefined ? {} : { mime }
  return GOOGLES_OWN.test(uri)
    ? { type: 'file-id', id: uri, dialect: 'gemini', ...named }
    : { type: 'url', url: uri, ...named }
}

/** Without a media type, the address decides. */
export function mediaPart(source: MediaSource, name: string | undefined): MediaPart {
  const mime = source.mime ?? mimeOfUri(source)
  const kind = /^(image|audio|video)\//.exec(mime)?.[1]
  if (kind === 'image' || kind === 'audio' || kind === 'video') return { kind, source }
  return { kind: 'file', source, ...(name === undefined ? {} : { name }) }
}

/** The media type by the extension of the address, or '' if unknown. */
export function mimeOfUri(source: MediaSource): string {
  if (source.type === 'base64') return source.mime
  const uri = source.type === 'url' ? source.url : source.id
  if (YOUTUBE.test(uri)) return 'video/*'
  const ending = /\.([a-z0-9]{2,4})(?:[?#]|$)/i.exec(uri)?.[1]?.toLowerCase() ?? ''
  return (Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : undefined) ?? ''
}
