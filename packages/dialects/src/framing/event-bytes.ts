const LF = 0x0a
const CR = 0x0d
const COLON = 0x3a
const UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true })
/** Drops a byte order mark. */
const UTF_8_AFTER_MARK = new TextDecoder()

/** Whether the last line is blank and cannot continue (a lone CR might be half of a CRLF). */
export function endsWithBlankLine(chunk: Uint8Array): boolean {
  const n = chunk.length
  if (n < 2 || chunk[n - 1] !== LF) return false
  return chunk[n - 2] === LF || (n > 2 && chunk[n - 2] === CR && (chunk[n - 3] === LF || chunk[n - 3] === CR))
}

/** Index of the next CR or LF, or the length. Kept tiny, because it processes every byte. */
export function nextLineEnd(bytes: Uint8Array, from: number): number {
  for (let i = from; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0
    if (byte <= CR && (byte === LF || byte === CR)) return i
  }
  return bytes.length
}

/** Whether whole events consist of blank lines and comments, as providers send while there is nothing to report. */
export function holdsOnlyComments(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) {
    const end = nextLineEnd(bytes, at)
    if (end > at && bytes[at] !== COLON) return false
    at = end
  }
  return true
}

export function follows(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word[i]) return false
  return true
}

/** Undefined if the event has no data. */
export function eventOf(
  bytes: Uint8Array,
  mayHaveMark: boolean,
): { readonly data: string; readonly name: string } | undefined {
  const text = (mayHaveMark ? UTF_8_AFTER_MARK : UTF_8).decode(bytes)
  const data: string[] = []
  let name = ''
  for (const line of text.split(/\r\n|\n|\r/)) {
    const field = /^(data|event)(?:$|: ?)/.exec(line)
    if (field === null) continue
    const value = line.slice(field[0].length)
    if (field[1] === 'data') data.push(value)
    else name = value
  }
  return data.length === 0 ? undefined : { data: data.join('\n'), name }
}
