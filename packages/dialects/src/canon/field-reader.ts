import { type BodyRefusal, invalidField } from '../body-refusal.ts'
import { asObject, type JsonObject } from '../json-value.ts'
import type { TextPart } from './parts.ts'

/**
 * Reads the members of a parsed request. Null counts as absent. A member of the wrong type is returned as absent and recorded, so
 * that a decoder checks `refusal` once, at its end; only the first fault is reported.
 */
export class FieldReader {
  refusal: BodyRefusal | undefined

  /** `field` is the path in the caller's naming; `rule` completes the sentence: `must be a string`. */
  refuse(field: string, rule: string): undefined {
    this.refusal ??= invalidField(field, rule)
    return undefined
  }

  text(value: unknown, field: string): string | undefined {
    if (value === undefined || value === null) return undefined
    return typeof value === 'string' ? value : this.refuse(field, 'must be a string')
  }

  needText(value: unknown, field: string): string {
    if (value === undefined || value === null) this.refuse(field, 'is required')
    return this.text(value, field) ?? ''
  }

  number(value: unknown, field: string): number | undefined {
    if (value === undefined || value === null) return undefined
    // JSON.parse turns 1e400 into Infinity, and JSON.stringify turns that into null.
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

  /** A list of objects; `read` is called with each object and its path. */
  objects<Read>(value: unknown, field: string, read: (object: JsonObject, path: string) => Read): readonly Read[] {
    return this.list(value, field).flatMap((item, index) => {
      const path = `${field}[${index}]`
      const object = asObject(item)
      if (object !== undefined) return [read(object, path)]
      this.refuse(path, 'must be an object')
      return []
    })
  }

  /** Content that is a text or a list of parts; `read` is called with each part and its path. Empty content has no parts. */
  content<Read>(
    value: unknown,
    field: string,
    read: (part: JsonObject, path: string) => readonly Read[],
  ): readonly (Read | TextPart)[] {
    if (typeof value === 'string') return value === '' ? [] : [{ kind: 'text', text: value }]
    if (value === undefined || value === null || Array.isArray(value)) return this.objects(value, field, read).flat()
    this.refuse(field, 'must be a string or a list')
    return []
  }

  oneOf<const Word extends string>(value: unknown, field: string, words: readonly Word[]): Word | undefined {
    if (value === undefined || value === null) return undefined
    const found = words.find((word) => word === value)
    return found ?? this.refuse(field, `must be one of ${words.join(', ')}`)
  }

  /**
   * As `oneOf`, for optional settings such as how much to think: an unknown word is a loss, not a fault. It is returned as absent,
   * and the caller keeps it among the fields that only its dialect has.
   */
  wish<const Word extends string>(value: unknown, field: string, words: readonly Word[]): Word | undefined {
    const given = this.text(value, field)
    return words.find((word) => word === given)
  }
}

/** The members outside `known`, without null and undefined. */
export function othersThan(object: JsonObject, known: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(([name, value]) => !known.has(name) && value !== null && value !== undefined),
  )
}
