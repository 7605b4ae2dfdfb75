import type { UpstreamError } from '../canon/upstream-error.ts'

/** Whether data starts an object but does not end it: clients cannot read it, and the rest would look like the whole answer. */
export function isTorn(data: string): boolean {
  const text = data.trim()
  return text.startsWith('{') && !text.endsWith('}')
}

/** Reported for an answer with such an event. */
export const TORN_EVENT: UpstreamError = {
  message: 'The provider sent an incomplete event.',
  type: undefined,
  code: undefined,
  param: undefined,
}

const LF = 0x0a
const CR = 0x0d
const COLON = 0x3a
const CLOSE = 0x7d

/** Whether the line before `lineEnd`, the index of its LF or CR, closes an object with its very last byte. */
export function endsAsObject(bytes: Uint8Array, lineEnd: number): boolean {
  const last = bytes[lineEnd - 1]
  return last === CLOSE || (last === CR && bytes[lineEnd - 2] === CLOSE)
}

/** Whether a line of the whole events in `bytes[start, end)` might end a torn event: it is not a comment and closes no object. */
export function hasTornLine(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end;) {
    const lineEnd = bytes.indexOf(LF, at)
    if (lineEnd < 0 || lineEnd >= end) return true
    const first = bytes[at]
    const isBlank = first === LF || (first === CR && at + 1 === lineEnd)
    if (!isBlank && first !== COLON && !endsAsObject(bytes, lineEnd)) return true
    at = lineEnd + 1
  }
  return false
}
