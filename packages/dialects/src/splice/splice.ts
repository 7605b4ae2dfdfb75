/** Replaces `body[start, end)` by `bytes`; an insertion if `start === end`. */
export interface Splice {
  readonly start: number
  readonly end: number
  readonly bytes: Uint8Array
}

/**
 * The body with the splices applied, as chunks in order; untouched parts are views of `body`, nothing is copied. Splices may come
 * in any order; insertions at the same index keep their order and precede a replacement that starts there. Overlapping or
 * out-of-range splices throw, because they are a bug in the caller.
 */
export function splice(body: Uint8Array, splices: readonly Splice[]): readonly Uint8Array[] {
  if (splices.length === 0) return [body]
  const chunks: Uint8Array[] = []
  let at = 0
  for (const { start, end, bytes } of [...splices].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (start < at || end < start || end > body.length)
      throw new RangeError(`splice [${start}, ${end}) overlaps another one or is out of range`)
    if (start > at) chunks.push(body.subarray(at, start))
    if (bytes.length > 0) chunks.push(bytes)
    at = end
  }
  if (at < body.length) chunks.push(body.subarray(at))
  return chunks
}

/** Byte length of the spliced body, for Content-Length. */
export function splicedLength(body: Uint8Array, splices: readonly Splice[]): number {
  return splices.reduce((length, { start, end, bytes }) => length - (end - start) + bytes.length, body.length)
}

export function insertText(at: number, text: string): Splice {
  return { start: at, end: at, bytes: new TextEncoder().encode(text) }
}

/** Removes a member with its key and one comma; `value` is its scanned span. Remove only one member of an object at a time. */
export function cutMember(body: Uint8Array, value: { readonly start: number; readonly end: number }): Splice {
  // A key that a scan looks for contains no quote, however it is escaped.
  let start = body.lastIndexOf(QUOTE, body.lastIndexOf(QUOTE, value.start - 1) - 1)
  const next = nextByte(body, value.end, 1)
  if (body[next] === COMMA) return { start, end: next + 1, bytes: NOTHING }
  const before = nextByte(body, start - 1, -1)
  if (body[before] === COMMA) start = before
  return { start, end: value.end, bytes: NOTHING }
}

const QUOTE = 0x22
const COMMA = 0x2c
const SPACE = 0x20
const NOTHING = new Uint8Array()

function nextByte(body: Uint8Array, from: number, step: 1 | -1): number {
  let at = from
  while ((body[at] ?? QUOTE) <= SPACE) at += step
  return at
}
