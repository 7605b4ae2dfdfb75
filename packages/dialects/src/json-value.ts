import { isExactNumber, parseExact } from './exact-json.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** Undefined if the value is not an object; a list is not one. */
export function asObject(value: unknown): JsonObject | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)
  return isObject ? (value as JsonObject) : undefined
}

/** Undefined if the text is not JSON or is nested too deep. Numbers are as in `parseExact`. */
export function parseJson(text: string): unknown {
  try {
    return nestsTooDeep(text) ? undefined : parseExact(text)
  } catch {
    return undefined
  }
}

/** An empty list if the value is not a list. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** An empty text if the value is not a text. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** The object without undefined members. */
export function defined(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** The fields as one member, or no member if there are no fields. */
export function filled(name: string, fields: JsonObject): JsonObject {
  return Object.keys(fields).length === 0 ? {} : { [name]: fields }
}

/** Maximum nesting, because code that writes or walks a value needs stack space for it. Real values stay below 40. */
const DEPTH_LIMIT = 512

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Counts brackets outside strings. Most texts are too short to nest so deep. */
function nestsTooDeep(text: string): boolean {
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

/** Index of the quote that ends the string starting at `start`, or the text's length. */
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
