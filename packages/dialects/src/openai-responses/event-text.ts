import { endOfString, stringAfter, type TextBuffer } from '../openai-chat/delta-strings.ts'
import { type DeltaText, openDeltaText } from '../openai-chat/delta-text.ts'

const QUOTE = 0x22
/** After the quote that opens the key. */
const DELTA = new TextEncoder().encode('delta"')

/** Collects the text of a stream: what stands in `delta`. The last events repeat all of it under other names. */
export function openEventText(): DeltaText {
  return openDeltaText(copyDeltas)
}

/** Quotes inside of strings are escaped in JSON, so a key found by its bytes is a key. */
function copyDeltas(bytes: Uint8Array, end: number, out: TextBuffer): void {
  for (let i = bytes.indexOf(QUOTE); i >= 0 && i < end; i = bytes.indexOf(QUOTE, i + 1)) {
    if (!follows(bytes, i + 1)) continue
    const start = stringAfter(bytes, i + 1 + DELTA.length)
    if (start < 0) continue
    const stop = endOfString(bytes, start, end)
    if (stop < 0) return
    out.add(bytes.subarray(start, stop))
    i = stop
  }
}

function follows(bytes: Uint8Array, at: number): boolean {
  for (let i = 0; i < DELTA.length; i++) if (bytes[at + i] !== DELTA[i]) return false
  return true
}
