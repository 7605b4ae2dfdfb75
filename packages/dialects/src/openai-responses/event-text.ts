import { endOfString, stringAfter, type TextBuffer } from '../canon/delta-strings.ts'
import { type DeltaText, openDeltaText } from '../canon/delta-text.ts'
import { follows } from '../framing/event-bytes.ts'

const QUOTE = 0x22
/** The text after the opening quote of the key. */
const DELTA = new TextEncoder().encode('delta"')

/** Collects the text of a stream: the content of `delta`. The last events repeat all of it under other names. */
export function openEventText(): DeltaText {
  return openDeltaText(copyDeltas)
}

/** Quotes inside strings are escaped in JSON, so a key found by its bytes is a key. */
function copyDeltas(bytes: Uint8Array, end: number, out: TextBuffer): void {
  for (let i = bytes.indexOf(QUOTE); i >= 0 && i < end; i = bytes.indexOf(QUOTE, i + 1)) {
    if (!follows(bytes, i + 1, DELTA)) continue
    const start = stringAfter(bytes, i + 1 + DELTA.length)
    if (start < 0) continue
    const stop = endOfString(bytes, start, end)
    if (stop < 0) return
    out.add(bytes, start, stop)
    i = stop
  }
}
