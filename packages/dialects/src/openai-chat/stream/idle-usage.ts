import { follows } from '../../framing/event-bytes.ts'

const KEY = new TextEncoder().encode('"usage"')
const NULL = new TextEncoder().encode('null')
const QUOTE = 0x22
const LETTER_U = 0x75
const COLON = 0x3a
const COMMA = 0x2c
const SPACE = 0x20

/** Views of whole events without their members `"usage":null`. Strings escape quotes, so a key's bytes can only be a key. */
export function withoutIdleUsage(piece: Uint8Array): readonly Uint8Array[] {
  const kept: Uint8Array[] = []
  let from = 0
  for (let at = nextKey(piece, 0); at < piece.length; at = nextKey(piece, at + 1)) {
    const end = endOfNull(piece, at)
    if (end < 0) continue
    const before = skipSpaces(piece, at - 1, -1)
    const after = skipSpaces(piece, end, 1)
    // One comma is removed with the member: the one before it, unless the member is the first.
    const isFirst = piece[before] !== COMMA
    kept.push(piece.subarray(from, isFirst ? at : before))
    from = isFirst && piece[after] === COMMA ? after + 1 : end
  }
  if (from < piece.length) kept.push(piece.subarray(from))
  return kept
}

/** Kept tiny, because it processes every byte. */
function nextKey(bytes: Uint8Array, start: number): number {
  for (let i = start; i < bytes.length; i++) {
    if (bytes[i] === QUOTE && bytes[i + 1] === LETTER_U && follows(bytes, i, KEY)) return i
  }
  return bytes.length
}

/** Index after the null that is the key's value, or -1 if the value is something else or this is not a key. */
function endOfNull(bytes: Uint8Array, key: number): number {
  const colon = skipSpaces(bytes, key + KEY.length, 1)
  if (bytes[colon] !== COLON) return -1
  const value = skipSpaces(bytes, colon + 1, 1)
  return follows(bytes, value, NULL) ? value + NULL.length : -1
}

function skipSpaces(bytes: Uint8Array, from: number, step: 1 | -1): number {
  let at = from
  while (bytes[at] === SPACE) at += step
  return at
}
