/**
 * Byte-pair encoders take quadratic time in the length of one unbroken run: 200 kB of one letter would keep a thread busy
 * for minutes. Runs are therefore cut into pieces, which changes the count of ordinary text by a few tokens in a million.
 */
const RUN_LIMIT = 128

/** A run of letters (including marks), of white space, or of anything else that the encoder does not split. */
const LONG_RUN = /[\p{L}\p{M}]{129,}|\s{129,}|[^\s\p{L}\p{M}\p{N}]{129,}/gu

/** The text in pieces that can be encoded separately; usually the text itself. */
export function cutRuns(text: string): readonly string[] {
  const pieces: string[] = []
  let at = 0
  for (const match of text.matchAll(LONG_RUN)) {
    const end = match.index + match[0].length
    if (match.index > at) pieces.push(text.slice(at, match.index))
    for (let from = match.index; from < end;) {
      const to = cutAt(text, Math.min(end, from + RUN_LIMIT), end)
      pieces.push(text.slice(from, to))
      from = to
    }
    at = end
  }
  if (at < text.length) pieces.push(text.slice(at))
  return pieces
}

/** Never cuts between the two halves of a surrogate pair. */
function cutAt(text: string, at: number, end: number): number {
  const code = text.charCodeAt(at)
  return at < end && code >= 0xdc00 && code <= 0xdfff ? at + 1 : at
}
