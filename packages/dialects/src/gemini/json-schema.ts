import { asObject, type JsonObject } from '../json-value.ts'

/** Members that hold one schema, or one for each name. */
const ONE = new Set(['items', 'additionalProperties', 'not'])
const LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const BY_NAME = new Set(['properties', '$defs', 'defs'])
/** Numeric keywords that Google's protocol writes as text. */
const COUNTS = new Set(['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties'])
/** Deeper schemas are passed on unchanged. */
const DEPTH_LIMIT = 64

/** Converts OpenAPI schemas (`parameters`, `responseSchema`): type names in lower case, `nullable` as an additional type. */
export function toJsonSchema(schema: JsonObject, depth = 0): JsonObject {
  if (depth > DEPTH_LIMIT) return schema
  const { nullable, format, propertyOrdering: _, ...rest } = schema
  const out: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(rest)) setMember(out, name, value, depth)
  // Gemini uses `enum` to indicate a list of values, and has its own number formats.
  if (format !== undefined && format !== 'enum') out['format'] = format
  if (nullable !== true) return out
  const { type } = out
  if (typeof type === 'string') out['type'] = [type, 'null']
  if (Array.isArray(out['enum'])) out['enum'] = [...(out['enum'] as unknown[]), null]
  return typeof type === 'string' || !Array.isArray(out['anyOf'])
    ? out
    : { ...out, anyOf: [...(out['anyOf'] as unknown[]), { type: 'null' }] }
}

function setMember(out: Record<string, unknown>, name: string, value: unknown, depth: number): void {
  const put = (member: unknown) => Object.defineProperty(out, name, { value: member, enumerable: true, writable: true })
  const object = asObject(value)
  if (name === 'type') put(lowerType(value))
  else if (ONE.has(name) && object !== undefined) put(toJsonSchema(object, depth + 1))
  else if (LISTS.has(name) && Array.isArray(value)) put(value.map((item) => inside(item, depth)))
  else if (BY_NAME.has(name) && object !== undefined) {
    put(Object.fromEntries(Object.entries(object).map(([key, item]) => [key, inside(item, depth)])))
  } else if (COUNTS.has(name) && typeof value === 'string' && /^\d+$/.test(value)) put(Number(value))
  else put(value)
}

function inside(value: unknown, depth: number): unknown {
  const object = asObject(value)
  return object === undefined ? value : toJsonSchema(object, depth + 1)
}

function lowerType(type: unknown): unknown {
  if (Array.isArray(type)) return type.map(lowerType)
  return typeof type === 'string' ? type.toLowerCase() : type
}
