import * as v from 'valibot'
import { type FindProblem, jsonText } from '../channel-json.ts'
import { INT_MAX } from '../row-id.ts'
import { splitList } from './comma-list.ts'

/** Sections of a channel's form, in its order. */
export const SECTIONS = ['basics', 'credentials', 'models', 'routing', 'advanced'] as const

/** How one setting is read, stored and shown. */
export interface Field {
  /** Determines the control in a form, and the conversion to and from a configuration file and another program's table. */
  readonly kind: 'text' | 'long' | 'names' | 'json' | 'number' | 'code'
  /** Name in records of the store. */
  readonly property: string
  readonly column: string
  /** Schema in a reply. */
  readonly reply: v.GenericSchema
  /**
   * Schema in the body of a call. Null reads as the value of a new record: other servers of the family export null for fields never
   * set.
   */
  readonly body: v.GenericSchema
  /** Converts a body's value to the stored one; `undefined` gives the value of a new record. */
  readonly stored: (given: unknown) => string | number | null
  /** Name in a configuration file and in the form, if different. */
  readonly declaredAs?: string
  /** The value in an empty form. */
  readonly empty: string | number | string[]
  /** Section of the form; a field without one has no control of its own. */
  readonly section?: (typeof SECTIONS)[number]
  /** What the members of a JSON object are. */
  readonly holds?: 'texts' | 'objects' | 'anything'
  /** Finds what is wrong with the text of a JSON object. */
  readonly find?: FindProblem
  /** Smallest number. */
  readonly least?: number
  /** Most characters of a text. */
  readonly most?: number
}

const textOf = (given: unknown): string => (typeof given === 'string' ? given : '')
const textOrNull = (given: unknown): string | null => (typeof given === 'string' && given.trim() !== '' ? given : null)
const wholeOf = (given: unknown): number => (typeof given === 'number' ? given : 0)

/** One line; an absent one is stored as empty. */
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

/** One line; an absent one is stored as null. */
/* @__NO_SIDE_EFFECTS__ */
export function optionalText(most: number) {
  return {
    ...text(most),
    reply: v.nullable(v.string()),
    body: v.optional(v.nullable(v.pipe(v.string(), v.trim(), v.maxLength(most)))),
    stored: textOrNull,
  }
}

/** Several lines; an absent text is stored as null. */
/* @__NO_SIDE_EFFECTS__ */
export function longText(most: number) {
  return {
    ...text(most),
    kind: 'long' as const,
    reply: v.nullable(v.string()),
    stored: textOrNull,
  }
}

/** The text of a JSON object that `find` accepts; in a configuration file, the object itself. An absent one is stored as null. */
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

/** Names, joined by commas when stored. */
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

/** A number that stands for something with a name, which the form offers as a choice. */
/* @__NO_SIDE_EFFECTS__ */
export function code() {
  return { kind: 'code' as const, reply: v.number(), stored: wholeOf, empty: '' }
}

/** A whole number of 32 bits, at least `least`; `label` names it in error messages. */
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
