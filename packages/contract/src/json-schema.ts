import type * as v from 'valibot'

/** Names that the schema library silently drops from records, so readers of a document have to refuse them first. */
export const DROPPED_KEYS: ReadonlySet<string> = new Set(['__proto__', 'prototype', 'constructor'])

export interface JsonSchema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly additionalProperties?: JsonSchema | false
  readonly anyOf?: readonly JsonSchema[]
  readonly default?: unknown
  readonly pattern?: string
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
}

type Issues<T extends v.BaseIssue<unknown>> = v.ErrorMessage<T> | undefined
type AnyPipe = readonly [v.GenericSchema, ...(v.GenericSchema | v.PipeAction<unknown, unknown, v.BaseIssue<unknown>>)[]]

type ObjectOfVariant = v.ObjectSchema<Readonly<Record<string, v.GenericSchema>>, undefined>

/** Every schema kind that the contract uses; a new one needs a case below. */
type KnownSchema =
  | v.StringSchema<Issues<v.StringIssue>>
  | v.NumberSchema<Issues<v.NumberIssue>>
  | v.BooleanSchema<Issues<v.BooleanIssue>>
  | v.UnknownSchema
  | v.LiteralSchema<v.Literal, Issues<v.LiteralIssue>>
  | v.PicklistSchema<v.PicklistOptions, Issues<v.PicklistIssue>>
  | v.ArraySchema<v.GenericSchema, Issues<v.ArrayIssue>>
  | v.ObjectSchema<Readonly<Record<string, v.GenericSchema>>, Issues<v.ObjectIssue>>
  | v.StrictObjectSchema<Readonly<Record<string, v.GenericSchema>>, Issues<v.StrictObjectIssue>>
  | v.RecordSchema<v.GenericSchema<string>, v.GenericSchema, Issues<v.RecordIssue>>
  | v.UnionSchema<readonly v.GenericSchema[], Issues<v.UnionIssue<v.BaseIssue<unknown>>>>
  | v.VariantSchema<string, readonly ObjectOfVariant[], Issues<v.VariantIssue>>
  | v.OptionalSchema<v.GenericSchema, unknown>
  | v.NullableSchema<v.GenericSchema, unknown>

type KnownAction =
  | v.MinLengthAction<string, number, undefined>
  | v.MaxLengthAction<string, number, undefined>
  | v.MinValueAction<number, number, undefined>
  | v.MaxValueAction<number, number, undefined>
  | v.IntegerAction<number, undefined>
  | v.RegexAction<string, undefined>
  | v.EmailAction<string, undefined>
  | v.PicklistSchema<v.PicklistOptions, undefined>

/**
 * Converts a valibot schema to the JSON Schema of its wire form; transformations are left out. Throws on a schema kind that is new
 * to the contract.
 */
export function jsonSchema(schema: v.GenericSchema): JsonSchema {
  const plain = plainSchema(schema as KnownSchema)
  if (!isPiped(schema)) return plain
  return schema.pipe.slice(1).reduce<JsonSchema>((so, step) => ({ ...so, ...restriction(step as KnownAction) }), plain)
}

function isPiped(schema: v.GenericSchema): schema is v.GenericSchema & { readonly pipe: AnyPipe } {
  return 'pipe' in schema
}

function plainSchema(schema: KnownSchema): JsonSchema {
  switch (schema.type) {
    case 'string':
    case 'number':
    case 'boolean':
      return { type: schema.type }
    case 'unknown':
      return {}
    case 'literal':
      return { const: schema.literal }
    case 'picklist':
      return { enum: schema.options }
    case 'array':
      return { type: 'array', items: jsonSchema(schema.item) }
    case 'object':
      return objectSchema(schema.entries)
    case 'strict_object':
      return { ...objectSchema(schema.entries), additionalProperties: false }
    case 'record':
      return { type: 'object', additionalProperties: jsonSchema(schema.value) }
    case 'union':
    case 'variant':
      return { anyOf: schema.options.map(jsonSchema) }
    case 'nullable':
      return { anyOf: [jsonSchema(schema.wrapped), { type: 'null' }] }
    case 'optional':
      return schema.default === undefined
        ? jsonSchema(schema.wrapped)
        : { ...jsonSchema(schema.wrapped), default: schema.default }
    default:
      throw new TypeError(
        `jsonSchema does not know the schema kind "${(schema satisfies never as v.GenericSchema).type}"`,
      )
  }
}

function objectSchema(entries: Readonly<Record<string, v.GenericSchema>>): JsonSchema {
  const required = Object.entries(entries).flatMap(([name, entry]) => (entry.type === 'optional' ? [] : [name]))
  const properties = Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, jsonSchema(entry)]))
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) }
}

/** Actions that JSON Schema cannot express (trim, transform, check, bytes) add nothing. */
function restriction(action: KnownAction): JsonSchema {
  switch (action.type) {
    case 'min_length':
      return { minLength: action.requirement }
    case 'max_length':
      return { maxLength: action.requirement }
    case 'min_value':
      return { minimum: action.requirement }
    case 'max_value':
      return { maximum: action.requirement }
    case 'integer':
      return { type: 'integer' }
    case 'regex':
      return { pattern: action.requirement.source }
    case 'email':
      return { format: 'email' }
    case 'picklist':
      return { enum: action.options }
    default:
      return {}
  }
}
