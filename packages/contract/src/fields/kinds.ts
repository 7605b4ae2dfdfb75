import * as v from 'valibot'
import { type FindProblem, jsonText } from '../channel-json.ts'
import { INT_MAX } from '../row-id.ts'
import { splitList } from './comma-list.ts'

/** Sections of a channel's form, in its order. */
export const SECTIONS = ['basics', 'credentials', 'models', 'routing', 'advanced'] as const

/** How one setting is read, stored and shown. */
export interface Field {
  /** Decides the form control and the conversion to and from configuration files and other gateways' tables. */
  readonly kind: 'text' | 'long' | 'names' | 'json' | 'number' | 'code'
  readonly property: string
  readonly column: string
  readonly reply: v.GenericSchema
  /** Null reads as a new record's value: other servers of the family export null for fields that were never set. */
  readonly body: v.GenericSchema
  /** Converts a body's value to the stored one; `undefined` gives a new record's value. */
  readonly stored: (given: unknown) => string | number | null
  /** Name in configuration files and the form, if different. */
  readonly declaredAs?: string
  readonly empty: string | number | string[]
  /** Section of the form; a field without one has no control of its own. */
  readonly section?: (typeof SECTIONS)[number]
  /** What the members of a JSON object are. */
  readonly holds?: 'texts' | 'objects' | 'anything'
  readonly find?: FindProblem
  readonly least?: number
  /** In characters. */
  readonly most?: number
}

const textOf = (given: unknown): string => (typeof given === 'string' ? given : '')
const textOrNull = (given: unknown): string | null => (typeof given === 'string' && given.trim() !== '' ? given : null)
const wholeOf = (given: unknown): number => (typeof given === 'number' ? given : 0)

/** One line; stored as empty when absent. */
/* @__NO_SIDE_EFFECTS__ */
export function text(most: number) {
  return {
    kind: 'text' as const,
    reply: v.string(),
    body: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(most)))),
    stored: textOf,
    empty: '',
    most,
  }
}

/** One line; stored as null when absent. */
/* @__NO_SIDE_EFFECTS__ */
export function optionalText(most: number) {
  return {
    ...text(most),
    reply: v.nullable(v.string()),
    body: v.optional(v.nullable(v.pipe(v.string(), v.trim(), v.maxLength(most)))),
    stored: textOrNull,
  }
}

/** Several lines; stored as null when absent. */
/* @__NO_SIDE_EFFECTS__ */
export function longText(most: number) {
  return {
    ...text(most),
    kind: 'long' as const,
    reply: v.nullable(v.string()),
    stored: textOrNull,
  }
}

/** The text of a JSON object that `find` accepts, stored as null when absent; in configuration files, the object itself. */
/* @__NO_SIDE_EFFECTS__ */
export function json(find: FindProblem, holds: 'texts' | 'objects' | 'anything') {
  return {
    kind: 'json' as const,
    reply: v.nullable(v.string()),
    body: v.optional(v.nullable(jsonText(find))),
    stored: textOrNull,
    holds,
    empty: '',
    find,
  }
}

/** Stored comma-separated. */
/* @__NO_SIDE_EFFECTS__ */
export function names(most: number, initial: string) {
  return {
    kind: 'names' as const,
    reply: v.string(),
    body: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(most)), initial), initial),
    stored: (given: unknown): string => splitList(textOf(given)).join(',') || initial,
    empty: [...splitList(initial)],
  }
}

/** A number that the form offers as a choice of names. */
/* @__NO_SIDE_EFFECTS__ */
export function code() {
  return { kind: 'code' as const, reply: v.number(), stored: wholeOf, empty: '' }
}

/** A 32-bit integer of at least `least`; `label` names it in error messages. */
/* @__NO_SIDE_EFFECTS__ */
export function wholeNumber(label: string, least: number) {
  const number = v.pipe(v.number(), v.integer(`${label} must be an integer`), v.minValue(least), v.maxValue(INT_MAX))
  return {
    kind: 'number' as const,
    reply: v.number(),
    body: v.optional(v.nullable(number, 0), 0),
    stored: wholeOf,
    empty: 0,
    least,
  }
}
