const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
/** Bytes; shorter strings are cheaper to parse than to search for. */
const LEAST = 64 * 1024
/** Bytes at either end of a string that are checked to be base64. */
const LOOK = 1_024
/** A `data:` prefix is shorter than this. */
const PREFIX_LIMIT = 200

/** Prefix of each request's `mark`. */
export const MARK_NAME = 'sluice-blob-'
/** A string whose bytes were extracted. */
const TAKEN_OUT = /^(?:data:[^,]*,)?sluice-blob-[\w-]+$/

export function isTakenOut(text: string): boolean {
  return TAKEN_OUT.test(text)
}

/** A JSON body without its large base64 strings. */
export interface Light {
  /** The body with a short placeholder for each blob. */
  readonly body: Uint8Array
  /** Views of the original body, by the number in their placeholders. */
  readonly blobs: readonly Uint8Array[]
}

/**
 * Takes large base64 strings (pictures, documents, audio) out of a valid JSON body, so that it can be parsed and serialized again
 * cheaply: a picture of 5 MB would delay every other stream by tens of milliseconds. A `data:` prefix stays. `mark` must not be
 * guessable, or a client could write placeholders of its own.
 */
export function takeOutBlobs(body: Uint8Array, mark: string): Light {
  const blobs: Uint8Array[] = []
  if (body.length < LEAST) return { body, blobs }
  const pieces: Uint8Array[] = []
  let kept = 0
  for (let open = body.indexOf(QUOTE); open >= 0;) {
    const close = endOfString(body, open + 1)
    if (close < 0) break
    const start = close - open > LEAST ? blobStart(body, open + 1, close) : -1
    if (start >= 0) {
      pieces.push(body.subarray(kept, start), encode(standIn(mark, blobs.length)))
      blobs.push(body.subarray(start, close))
      kept = close
    }
    open = body.indexOf(QUOTE, close + 1)
  }
  if (blobs.length === 0) return { body, blobs }
  return { body: concat([...pieces, body.subarray(kept)]), blobs }
}

/**
 * JSON text as bytes, with the blobs put back; each may occur any number of times, or not at all. A placeholder that an encoder has
 * shortened, as it does with long names, stays: providers would not accept the original name of 64 KiB either.
 */
export function putBackBlobs(json: string, mark: string, blobs: readonly Uint8Array[]): Uint8Array {
  if (blobs.length === 0) return encode(json)
  const pieces: Uint8Array[] = []
  let at = 0
  for (let found = json.indexOf(mark); found >= 0; found = json.indexOf(mark, at)) {
    const number = found + mark.length
    const blob = blobs[Number(json.slice(number, number + DIGITS))]
    if (blob === undefined) pieces.push(encode(json.slice(at, number)))
    else pieces.push(encode(json.slice(at, found)), blob)
    at = blob === undefined ? number : number + DIGITS
  }
  return concat([...pieces, encode(json.slice(at))])
}

/** Only letters, digits and dashes, which encoders keep in names and ids that allow no other characters. */
const standIn = (mark: string, number: number) => mark + String(number).padStart(DIGITS, '0')
/** A body with more blobs would need terabytes. */
const DIGITS = 8

/** Index of the closing quote, or -1. Jumps from quote to quote, which the engine does at memory speed. */
function endOfString(body: Uint8Array, from: number): number {
  for (let quote = body.indexOf(QUOTE, from); quote >= 0; quote = body.indexOf(QUOTE, quote + 1)) {
    let slashes = 0
    while (body[quote - 1 - slashes] === BACKSLASH) slashes++
    if (slashes % 2 === 0) return quote
  }
  return -1
}

/** Index at which a string's base64 starts, or -1 if it is not base64. */
function blobStart(body: Uint8Array, start: number, end: number): number {
  const comma = body.subarray(start, start + PREFIX_LIMIT).indexOf(COMMA)
  const from = comma < 0 ? start : start + comma + 1
  const isBlob =
    isBase64(body, from, from + LOOK) &&
    isBase64(body, end - LOOK, end) &&
    !body.subarray(from, end).includes(BACKSLASH) &&
    !isText(body.subarray(from, from + LOOK))
  return isBlob ? from : -1
}

/** Some providers accept a text file only as text, so it must be readable: its first bytes decide, whatever its declared type. */
function isText(base64: Uint8Array): boolean {
  try {
    const letters = String.fromCharCode(...base64)
      .replaceAll('-', '+')
      .replaceAll('_', '/')
    const bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0))
    // The last character may be cut off.
    return !BINARY.test(new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true }))
  } catch {
    return false
  }
}

const BINARY = /(?![\t\n\r])\p{Cc}/u

function isBase64(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (BASE64[bytes[i] ?? 0] !== 1) return false
  return true
}

const BASE64 = new Uint8Array(256)
for (const letter of encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=')) BASE64[letter] = 1

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function concat(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
