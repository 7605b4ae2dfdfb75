import type { AbsenceRule } from '@sluice/contract/absence'
import * as v from 'valibot'

interface Shape extends v.GenericSchema {
  readonly pipe?: readonly { readonly metadata?: AbsenceRule }[]
  readonly entries?: Readonly<Record<string, Shape>>
  readonly item?: Shape
  readonly value?: Shape
  readonly wrapped?: Shape
  readonly options?: readonly unknown[]
  readonly literal?: unknown
  readonly default?: unknown
}

const UNREADABLE = Symbol()

/**
 * Reads what a server sent, using a schema of the contract. This is the one place where the console decides what a missing, an
 * additional and an invalid field mean, and none of them costs more than its cell:
 * - A value that is absent, null or invalid becomes the value that the contract states for its absence (`whenAbsent`).
 * - If none is stated it is unknown: NaN for a number, which every format writes as a dash; an empty text, list or map; false.
 * - Numbers, texts and flags are converted into each other where nothing is lost: `"500"`, `1` for true.
 * - Fields that the contract does not name are left out.
 * - An item of a list is left out when it is not an object, has no id, or is of a kind that this console does not know.
 *
 * `undefined` when there is nothing to show at all: no object where one is needed, or one without its id. Never throws.
 */
export function readReply<const S extends v.GenericSchema>(
  schema: S,
  value: unknown,
): { readonly value: v.InferOutput<S> } | undefined {
  const found = schema.type === 'object' ? read(schema, value) : readField(schema, value)
  const kept = found === UNREADABLE ? (ruleOf(schema).whenAbsent ?? UNREADABLE) : found
  // A value read by the schema has its shape, because NaN is a number as well.
  return kept === UNREADABLE ? undefined : { value: kept as v.InferOutput<S> }
}

function readField(schema: Shape, value: unknown): unknown {
  const found = read(schema, value)
  if (found !== UNREADABLE) return found
  const rule = ruleOf(schema)
  if (rule.essential === true) return UNREADABLE
  return 'whenAbsent' in rule ? rule.whenAbsent : unknownOf(schema)
}

function read(schema: Shape, value: unknown): unknown {
  const { type, item, value: each, wrapped } = schema
  switch (type) {
    case 'object':
      return readObject(schema, value)
    case 'array':
      return Array.isArray(value) && item !== undefined
        ? value.map((one) => read(item, one)).filter((one) => one !== UNREADABLE)
        : UNREADABLE
    case 'record':
      return isRecord(value) && each !== undefined
        ? Object.fromEntries(
            Object.entries(value).flatMap(([name, one]) => {
              const found = read(each, one)
              return found === UNREADABLE ? [] : [[name, found]]
            }),
          )
        : UNREADABLE
    case 'nullable':
    case 'optional': {
      const found = wrapped === undefined ? UNREADABLE : read(wrapped, value)
      return found === UNREADABLE ? unknownOf(schema) : found
    }
    default: {
      const sent = asKind(type, value)
      // A number only has to be finite: servers of the family and older ones of ours send fractions where we send none.
      if (type === 'number' && ruleOf(schema).essential !== true) return Number.isFinite(sent) ? sent : UNREADABLE
      const parsed = v.safeParse(schema, sent)
      return parsed.success ? parsed.output : UNREADABLE
    }
  }
}

function readObject(schema: Shape, value: unknown): unknown {
  const { listAs } = ruleOf(schema)
  const sent = Array.isArray(value) && listAs !== undefined ? { [listAs]: value } : value
  if (!isRecord(sent)) return UNREADABLE
  const found: Record<string, unknown> = {}
  for (const [name, entry] of Object.entries(schema.entries ?? {})) {
    const field = readField(entry, sent[name])
    if (field === UNREADABLE) return UNREADABLE
    if (field !== undefined) found[name] = field
  }
  return found
}

/** For unknown fields, by the kind of schema; never mutated. */
const NOT_KNOWN: Readonly<Record<string, unknown>> = {
  number: Number.NaN,
  string: '',
  boolean: false,
  array: [],
  record: {},
  nullable: null,
}

function unknownOf(schema: Shape): unknown {
  switch (schema.type) {
    case 'object':
      return readObject(schema, {})
    case 'literal':
      return schema.literal
    case 'union':
      return unknownOf(schema.options?.[0] as Shape)
    case 'picklist':
      return schema.options?.includes('') === true ? '' : UNREADABLE
    default:
      return schema.type in NOT_KNOWN ? NOT_KNOWN[schema.type] : schema.default
  }
}

/** Converts a number, text or flag if it can only mean one thing. */
function asKind(type: string, value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return value
  const text = String(value)
  if (type === 'string') return text
  if (type === 'number' && typeof value === 'string' && text.trim() !== '') return Number(text)
  return type === 'boolean' && /^([01]|true|false)$/.test(text) ? /[1t]/.test(text) : value
}

function ruleOf({ pipe }: Shape): AbsenceRule {
  return pipe?.find(({ metadata }) => metadata !== undefined)?.metadata ?? {}
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
