import { endOfString } from '../canon/delta-strings.ts'

const QUOTE = 0x22
const COLON = 0x3a
const OPEN = 0x7b
const CLOSE = 0x7d

/** Index of the value after a key's closing quote, or -1 if no colon follows and the key was a string. */
export function valueAfter(bytes: Uint8Array, at: number): number {
  const colon = skipSpaces(bytes, at)
  return bytes[colon] === COLON ? skipSpaces(bytes, colon + 1) : -1
}

function skipSpaces(bytes: Uint8Array, at: number): number {
  let i = at
  while ((bytes[i] ?? QUOTE) <= 0x20) i++
  return i
}

/** Index after the object that begins at `start`, skipping white space; -1 if it is missing or unfinished. */
export function endOfObject(bytes: Uint8Array, start: number, end: number): number {
  let depth = 0
  for (let i = skipSpaces(bytes, start); i < end; i++) {
    if (bytes[i] === QUOTE) {
      const close = endOfString(bytes, i + 1, end)
      if (close < 0) return -1
      i = close
    } else if (bytes[i] === OPEN) depth++
    else if (bytes[i] === CLOSE) depth--
    if (depth === 0) return bytes[i] === CLOSE ? i + 1 : -1
  }
  return -1
}
