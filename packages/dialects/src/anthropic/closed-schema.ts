import { asObject, type JsonObject } from '../json-value.ts'

/** Keywords that hold one schema, a list of schemas, or one for each name. */
const SCHEMAS: ReadonlySet<string> = new Set(['items', 'anyOf', 'allOf', 'oneOf', 'not', 'if', 'then', 'else'])
const NAMED_SCHEMAS: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions'])

/** Bounds that the API refuses in schemas that it enforces. */
const BOUNDS: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
])

/**
 * A schema in the form that the API enforces, with fewer keywords than JSON Schema: every object is closed (`additionalProperties:
 * false`), and bounds of values go into the description. Returns the same object if nothing changes. Requests are scanned for depth
 * beforehand. Source: Anthropic, structured outputs, JSON Schema limitations.
 */
export function closedSchema(schema: JsonObject): JsonObject {
  const extra = schema['additionalProperties']
  const isOpen = schema['type'] === 'object' && (extra === undefined || extra === true)
  const closed = withoutBounds(mapped(schema, closedMember))
  return isOpen ? { ...closed, additionalProperties: false } : closed
}

function withoutBounds(schema: JsonObject): JsonObject {
  const members = Object.entries(schema)
  const bounds = members.filter(([name, value]) => BOUNDS.has(name) || (name === 'minItems' && Number(value) > 1))
  if (bounds.length === 0) return schema
  const said = typeof schema['description'] === 'string' ? `${schema['description']}\n` : ''
  return {
    ...Object.fromEntries(members.filter((member) => !bounds.includes(member))),
    description: `${said}It keeps to ${JSON.stringify(Object.fromEntries(bounds))}.`,
  }
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
