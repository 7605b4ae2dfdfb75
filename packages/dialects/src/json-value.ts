import { isExactNumber, parseExact } from './exact-json.ts'
import { nestsTooDeep } from './json-depth.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** The value as an object to read members of; undefined for anything else, lists included. */
export function asObject(value: unknown): JsonObject | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)
  return isObject ? (value as JsonObject) : undefined
}

/**
 * The text parsed, or undefined when it is not JSON or nests deeper than anybody means; see `json-depth.ts`. Numbers as in
 * `parseExact`.
 */
export function parseJson(text: string): unknown {
  try {
    return nestsTooDeep(text) ? undefined : parseExact(text)
  } catch {
    return undefined
  }
}

/** The value where it is a list, else an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The value where it is a text, else an empty one. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
