import { endOfString, stringAfter, TextBuffer } from '../openai-chat/delta-strings.ts'
import { type DeliveredText, type DeltaText, openDeltaText } from '../openai-chat/delta-text.ts'

const QUOTE = 0x22
const SPACE = 0x20
const COLON = 0x3a
const OPEN = 0x7b
const CLOSE = 0x7d
/** After the quotes that open the keys. */
const TEXT = new TextEncoder().encode('text"')
const ARGS = new TextEncoder().encode('args"')
const TEXT_LIMIT = 256 * 1024

/** Collects what a model wrote in a stream: texts, thoughts, and arguments of calls. */
export function openPartText(): DeltaText {
  return openDeltaText(copyParts)
}

/** The same of a whole reply. */
export function textOfParts(reply: Uint8Array): DeliveredText {
  const text = new TextBuffer(TEXT_LIMIT)
  copyParts(reply, reply.length, text)
  return { text: text.decode(), beyondBytes: text.beyond }
}

/** Quotes inside of strings are escaped in JSON, so a key found by its bytes is a key. */
function copyParts(bytes: Uint8Array, end: number, out: TextBuffer): void {
  for (let i = bytes.indexOf(QUOTE); i >= 0 && i < end; i = bytes.indexOf(QUOTE, i + 1)) {
    const [start, stop] = spanAt(bytes, i + 1, end)
    if (start < 0) continue
    if (stop < 0) return
    out.add(bytes.subarray(start, stop))
    i = stop
  }
}

/** Where the value of a wanted key stands; -1 for its start when there is none, for its end when that is missing. */
function spanAt(bytes: Uint8Array, key: number, end: number): readonly [start: number, stop: number] {
  if (follows(bytes, key, TEXT)) {
    const start = stringAfter(bytes, key + TEXT.length)
    return [start, start < 0 ? -1 : endOfString(bytes, start, end)]
  }
  if (!follows(bytes, key, ARGS)) return NONE
  const start = objectAfter(bytes, key + ARGS.length)
  return [start, start < 0 ? -1 : endOfObject(bytes, start, end)]
}

const NONE = [-1, -1] as const

function objectAfter(bytes: Uint8Array, at: number): number {
  const colon = skipSpaces(bytes, at)
  if (bytes[colon] !== COLON) return -1
  const value = skipSpaces(bytes, colon + 1)
  return bytes[value] === OPEN ? value : -1
}

function endOfObject(bytes: Uint8Array, start: number, end: number): number {
  let depth = 0
  for (let i = start; i < end; i++) {
    if (bytes[i] === QUOTE) {
      const close = endOfString(bytes, i + 1, end)
      if (close < 0) return -1
      i = close
    } else if (bytes[i] === OPEN) depth++
    else if (bytes[i] === CLOSE && --depth === 0) return i + 1
  }
  return -1
}

function skipSpaces(bytes: Uint8Array, at: number): number {
  let i = at
  while ((bytes[i] ?? 0x21) <= SPACE) i++
  return i
}

function follows(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word[i]) return false
  return true
}
