import { mediaTypeOf } from '../canon/media-type.ts'
import type { MediaSource } from '../canon/parts.ts'

const DATA_URL = /^data:([^;,]*)(?:;[^;,]*)*?;base64,/i

/** A `data:` URL as bytes, anything else as an address. */
export function sourceOfUrl(url: string): MediaSource {
  const head = DATA_URL.exec(url.slice(0, 200))
  return head === null
    ? { type: 'url', url }
    : {
        type: 'base64',
        mime: head[1] === undefined || head[1] === '' ? PLAIN : mediaTypeOf(head[1]),
        data: url.slice(head[0].length),
      }
}

export function dataUrl({ mime, data }: { readonly mime: string; readonly data: string }): string {
  return `data:${mime};base64,${data}`
}

/** A file's bytes are given with or without the prefix of a `data:` URL; without it, the name shows their type. */
export function sourceOfFileData(data: string, name: string | undefined): MediaSource {
  const source = sourceOfUrl(data)
  return source.type === 'base64' ? source : { type: 'base64', mime: typeOfName(name), data }
}

const PLAIN = 'text/plain'
const TYPES: Readonly<Record<string, string>> = {
  txt: PLAIN,
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
}

/** PDF by default: nearly every file sent to models is one. */
function typeOfName(name: string | undefined): string {
  const ending = /\.([a-z]+)$/i.exec(name ?? '')?.[1]?.toLowerCase() ?? 'pdf'
  return TYPES[ending] ?? 'application/pdf'
}

/** The two audio formats that OpenAI accepts, by its names. */
export const AUDIO_TYPES: Readonly<Record<string, string>> = { wav: 'audio/wav', mp3: 'audio/mpeg' }

/** OpenAI's name of an audio format; undefined for formats that it does not accept. */
export function audioFormat(mime: string): string | undefined {
  const kind = mime.toLowerCase().replace(/^audio\/(x-)?/, '')
  if (kind === 'wav' || kind === 'wave') return 'wav'
  return kind === 'mpeg' || kind === 'mp3' ? 'mp3' : undefined
}
