import { follows } from '../framing/event-bytes.ts'
import { endOfString, stringAfter, TextBuffer } from '../openai-chat/delta-strings.ts'
import { type DeliveredText, type DeltaText, openDeltaText } from '../openai-chat/delta-text.ts'
import { endOfObject, valueAfter } from './json-bytes.ts'

const QUOTE = 0x22
const OPEN = 0x7b
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
  const value = valueAfter(bytes, at)
  return value >= 0 && bytes[value] === OPEN ? value : -1
}
