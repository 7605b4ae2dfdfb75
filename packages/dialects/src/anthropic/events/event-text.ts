import { endOfString, stringAfter, type TextBuffer } from '../../canon/delta-strings.ts'
import { type DeltaText, openDeltaText } from '../../canon/delta-text.ts'
import { follows } from '../../framing/event-bytes.ts'

const QUOTE = 0x22

/** The text after the opening quote of the key, by the key's first letter. */
const KEYS: Readonly<Partial<Record<number, readonly Uint8Array[]>>> = {
  // t: text and thinking
  0x74: [encode('text"'), encode('thinking"')],
  // p: arguments of a call
  0x70: [encode('partial_json"')],
}

/** Collects the text of a stream: what the deltas say. */
export function openEventText(): DeltaText {
  return openDeltaText(copyDeltas)
}

/** Quotes inside strings are escaped in JSON, so a key found by its bytes is a key. */
function copyDeltas(bytes: Uint8Array, end: number, out: TextBuffer): void {
  for (let i = bytes.indexOf(QUOTE); i >= 0 && i < end; i = bytes.indexOf(QUOTE, i + 1)) {
    const key = KEYS[bytes[i + 1] ?? 0]?.find((word) => follows(bytes, i + 1, word))
    const start = key === undefined ? -1 : stringAfter(bytes, i + 1 + key.length)
    if (start < 0) continue
    const stop = endOfString(bytes, start, end)
    if (stop < 0) return
    out.add(bytes, start, stop)
    i = stop
  }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
