/** Deepest nesting that is read: code that writes a value again, or walks it, needs a stack for it. Real ones stay below 40. */
const DEPTH_LIMIT = 512

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Counts brackets outside strings; most texts are too short to nest so deep. */
export function nestsTooDeep(text: string): boolean {
  if (text.length <= DEPTH_LIMIT) return false
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) i = endOfString(text, i)
    // `[` and `{`, `]` and `}` differ in one bit.
    else if ((code | 0x20) === 0x7b) {
      if (++depth > DEPTH_LIMIT) return true
    } else if ((code | 0x20) === 0x7d) depth--
  }
  return false
}

/** Index of the quote that ends the string starting at `start`; the length if none does. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end > 0) {
    let before = end - 1
    while (text.charCodeAt(before) === BACKSLASH) before--
    if ((end - before) % 2 === 1) return end
    end = text.indexOf('"', end + 1)
  }
  return text.length
}
