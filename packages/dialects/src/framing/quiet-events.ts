import { endsAsObject } from './torn-event.ts'

const LF = 0x0a
const CR = 0x0d
const COLON = 0x3a
/** The first letter of `data`. */
const DATA = 0x64

/**
 * Whether an event in `bytes[start, end)`, which are whole events, must be read. An event is quiet if its first line (its name, or
 * the type that its data begins with) is quiet by `isQuietLine`, and only whole data and comments follow. Processes every byte of
 * every stream.
 */
export function hasLoudEvent(
  bytes: Uint8Array,
  start: number,
  end: number,
  isQuietLine: (bytes: Uint8Array, at: number) => boolean,
): boolean {
  let isQuiet = false
  for (let at = start; at < end;) {
    const lineEnd = bytes.indexOf(LF, at)
    if (lineEnd < 0 || lineEnd >= end) return true
    const first = bytes[at]
    if (first === DATA && !endsAsObject(bytes, lineEnd)) return true
    if (first === LF || (first === CR && at + 1 === lineEnd)) isQuiet = false
    else if (isQuietLine(bytes, at)) isQuiet = true
    else if (first !== COLON && !(isQuiet && first === DATA)) return true
    at = lineEnd + 1
  }
  return false
}
