import { type BodyRefusal, invalidField } from '../body-refusal.ts'
import { asObject, type JsonObject } from '../json-value.ts'

/**
 * Reads the members of a parsed request for a decoder. Null counts as absent. What is not of its type is answered as absent
 * and remembered, so that a decoder looks at `refusal` once, at its end; the first fault is the one that is told.
 */
export class FieldReader {
  refusal: BodyRefusal | undefined

  /** `field` is the path in the caller's naming, `rule` follows it in a sentence: `must be a string`. */
  refuse(field: string, rule: string): undefined {
    this.refusal ??= invalidField(field, rule)
    return undefined
  }

  text(value: unknown, field: string): string | undefined {
    if (value === undefined || value === null) return undefined
    return typeof value === 'string' ? value : this.refuse(field, 'must be a string')
  }

  /** A text that must be there. */
  needText(value: unknown, field: string): string {
    if (value === undefined || value === null) this.refuse(field, 'is required')
    return this.text(value, field) ?? ''
  }

  number(value: unknown, field: string): number | undefined {
    if (value === undefined || value === null) return undefined
    // JSON.parse makes Infinity of 1e400, and JSON.stringify null of that.
    return Number.isFinite(value) ? (value as number) : this.refuse(field, 'must be a number')
  }

  whole(value: unknown, field: string): number | undefined {
    if (value === undefined || value === null) return undefined
    return Number.isSafeInteger(value) ? (value as number) : this.refuse(field, 'must be a whole number')
  }

  flag(value: unknown, field: string): boolean | undefined {
    if (value === undefined || value === null) return undefined
    return typeof value === 'boolean' ? value : this.refuse(field, 'must be true or false')
  }

  object(value: unknown, field: string): JsonObject | undefined {
    if (value === undefined || value === null) return undefined
    return asObject(value) ?? this.refuse(field, 'must be an object')
  }

  list(value: unknown, field: string): readonly unknown[] {
    if (value === undefined || value === null) return []
    if (Array.isArray(value)) return value
    this.refuse(field, 'must be a list')
    return []
  }

  /** A list of objects; `read` is given each with its path. */
  objects<Read>(value: unknown, field: string, read: (object: JsonObject, path: string) => Read): readonly Read[] {
    return this.list(value, field).flatMap((item, index) => {
      const path = `${field}[${index}]`
      const object = asObject(item)
      if (object !== undefined) return [read(object, path)]
      this.refuse(path, 'must be an object')
      return []
    })
  }

  oneOf<const Word extends string>(value: unknown, field: string, words: readonly Word[]): Word | undefined {
    if (value === undefined || value === null) return undefined
    const found = words.find((word) => word === value)
    return found ?? this.refuse(field, `must be one of ${words.join(', ')}`)
  }
}

/** The members that are not among these and say something. */
export function othersThan(object: JsonObject, known: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(([name, value]) => !known.has(name) && value !== null && value !== undefined),
  )
}
