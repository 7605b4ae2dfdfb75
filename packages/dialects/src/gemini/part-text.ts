import { endOfString, stringAfter, TextBuffer } from '../canon/delta-strings.ts'
import { type DeliveredText, type DeltaText, openDeltaText } from '../canon/delta-text.ts'
import { follows } from '../framing/event-bytes.ts'
import { endOfObject, valueAfter } from './json-bytes.ts'

const QUOTE = 0x22
const OPEN = 0x7b
/** The rest of each key after its opening quote. */
const TEXT = new TextEncoder().encode('text"')
const ARGS = new TextEncoder().encode('args"')
const TEXT_LIMIT = 256 * 1024

export function openPartText(): DeltaText {
  return openDeltaText(copyParts)
}

/** As `openPartText`, for a whole reply. */
export function textOfParts(reply: Uint8Array): DeliveredText {
  const text = new TextBuffer(TEXT_LIMIT)
  copyParts(reply, reply.length, text)
  return { text: text.decode(), beyondBytes: text.beyond }
}

/** Quotes inside strings are escaped in JSON, so these bytes can only be a key. */
function copyParts(bytes: Uint8Array, end: number, out: TextBuffer): void {
  for (let i = bytes.indexOf(QUOTE); i >= 0 && i < end; i = bytes.indexOf(QUOTE, i + 1)) {
    const [start, stop] = spanAt(bytes, i + 1, end)
    if (start < 0) continue
    if (stop < 0) return
    out.add(bytes, start, stop)
    i = stop
  }
}

/** The value of a wanted key; its start is -1 if it is missing, its end is -1 if it is unfinished. */
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
