/** ECMAScript 2026, not yet in TypeScript's types. */
interface SourceJson {
  parse(text: string, revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown
  rawJSON(text: string): object
  isRawJSON(value: unknown): boolean
}
const SOURCE = JSON as unknown as SourceJson

/** A number that a double might not hold: an integer of 16 digits or more, or one with a large exponent. */
const WIDE = /[[:,\s-]\d{16,}[\s,\]}]|^-?\d{16,}$|\de\+?\d{3}/i
const WHOLE = /^-?\d+$/

/**
 * As `JSON.parse`, except for numbers that a double would change: the id 1234567890123456789 in a tool call must arrive unchanged,
 * and 1e400 must not become null. Such a number becomes a value that is neither a number nor a plain object, and that
 * `JSON.stringify` writes unchanged.
 */
export function parseExact(text: string): unknown {
  if (!WIDE.test(text)) return JSON.parse(text) as unknown
  return SOURCE.parse(text, (_, value, { source = '' }) =>
    typeof value === 'number' && !isKept(value, source) ? SOURCE.rawJSON(source) : value,
  )
}

export function isExactNumber(value: unknown): boolean {
  return SOURCE.isRawJSON(value)
}

function isKept(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false
  return Number.isSafeInteger(value) || !WHOLE.test(source) || String(value) === source
}
