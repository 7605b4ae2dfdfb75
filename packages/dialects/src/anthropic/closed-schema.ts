import { asObject, type JsonObject } from '../json-value.ts'

/** Members that hold one schema, a list of them, or one for each name. */
const SCHEMAS: ReadonlySet<string> = new Set(['items', 'anyOf', 'allOf', 'oneOf', 'not', 'if', 'then', 'else'])
const NAMED_SCHEMAS: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions'])

/**
 * The schema with `additionalProperties: false` on every object that leaves it open; the same object where nothing has to change.
 * The depth of requests is limited where they are scanned.
 */
export function closedSchema(schema: JsonObject): JsonObject {
  const isOpen = schema['type'] === 'object' && schema['additionalProperties'] === undefined
  const closed = mapped(schema, closedMember)
  return isOpen ? { ...closed, additionalProperties: false } : closed
}

function closedMember(value: unknown, name: string): unknown {
  if (NAMED_SCHEMAS.has(name)) {
    const named = asObject(value)
    return named === undefined ? value : mapped(named, closedValue)
  }
  if (!SCHEMAS.has(name)) return value
  if (!Array.isArray(value)) return closedValue(value)
  const closed: readonly unknown[] = value.map(closedValue)
  return closed.some((item, index) => item !== value[index]) ? closed : value
}

function closedValue(value: unknown): unknown {
  const schema = asObject(value)
  return schema === undefined ? value : closedSchema(schema)
}

function mapped(object: JsonObject, change: (value: unknown, name: string) => unknown): JsonObject {
  const entries = Object.entries(object).map(([name, value]): [string, unknown] => [name, change(value, name)])
  return entries.some(([name, value]) => value !== object[name]) ? Object.fromEntries(entries) : object
}
