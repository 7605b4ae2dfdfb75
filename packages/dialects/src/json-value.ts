import { isExactNumber, parseExact } from './exact-json.ts'
import { nestsTooDeep } from './json-depth.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** The value as an object to read members of; undefined for anything else, lists included. */
export function asObject(value: unknown): JsonObject | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)
  return isObject ? (value as JsonObject) : undefined
}

/** The text parsed; undefined if not JSON or nested deeper than real ones (`json-depth.ts`). Numbers as in `parseExact`. */
export function parseJson(text: string): unknown {
  try {
    return nestsTooDeep(text) ? undefined : parseExact(text)
  } catch {
    return undefined
  }
}

/** The value if it is a list, otherwise an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The value if it is a text, otherwise an empty one. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** Without members that are undefined. */
export function defined(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** The fields as one member; none when there are no fields. */
export function filled(name: string, fields: JsonObject): JsonObject {
  return Object.keys(fields).length === 0 ? {} : { [name]: fields }
}
