/** What ECMAScript 2026 adds to JSON, which the types of the language do not know yet. */
interface SourceJson {
  parse(text: string, revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown
  rawJSON(text: string): object
  isRawJSON(value: unknown): boolean
}
const SOURCE = JSON as unknown as SourceJson

/** A number that a double may not hold: a whole one of 16 digits or more, or one with a large exponent. Texts hold few such. */
const WIDE = /[[:,\s-]\d{16,}[\s,\]}]|^-?\d{16,}$|\de\+?\d{3}/i
const WHOLE = /^-?\d+$/

/**
 * As `JSON.parse`, but for numbers that a double would change when it is written again: a tool that is called with the id
 * 1234567890123456789 must be called with it, and 1e400 must not become null. Such a number is a value that is neither number
 * nor object to whoever reads it, and that `JSON.stringify` writes as it came.
 */
export function parseExact(text: string): unknown {
  if (!WIDE.test(text)) return JSON.parse(text) as unknown
  return SOURCE.parse(text, (_, value, { source = '' }) =>
    typeof value === 'number' && !isKept(value, source) ? SOURCE.rawJSON(source) : value,
  )
}

/** Whether it is such a number. */
export function isExactNumber(value: unknown): boolean {
  return SOURCE.isRawJSON(value)
}

function isKept(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false
  return Number.isSafeInteger(value) || !WHOLE.test(source) || String(value) === source
}
