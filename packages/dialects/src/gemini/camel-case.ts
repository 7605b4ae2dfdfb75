import { asObject, type JsonObject } from '../json-value.ts'

/**
 * The object with the names of its own members in camel case: Google's servers take `system_instruction` for `systemInstruction`,
 * and so do its examples. What is inside the members stays, because names there may be data.
 */
export function camelCase(object: JsonObject): JsonObject {
  const names = Object.keys(object)
  if (!names.some((name) => name.includes('_'))) return object
  return Object.fromEntries(names.map((name) => [camel(name), object[name]]))
}

/** The same for a member of any type. */
export function camelObject(value: unknown): JsonObject | undefined {
  const object = asObject(value)
  return object && camelCase(object)
}

const camel = (name: string) => name.replace(/(?<=[^_])_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
