import type { ForeignRow, ForeignValue, UnreadableText } from '@sluice/store/foreign/foreign-database'

/** A field that breaks a rule. `problem` continues the field's name and never contains the value. */
export interface FieldProblem {
  readonly field: string
  readonly problem: string
}

/** 31 December 9999, unix seconds. */
const LATEST_SECONDS = 253_402_300_799
const INTEGER = /^[+-]?\d{1,20}$/

/**
 * Reads the fields of one foreign row. The first field that breaks a rule is kept as `fault`, and its returned value is
 * meaningless: the row cannot be imported. A column that the source does not have reads as NULL.
 */
export class Fields {
  readonly #row: ForeignRow
  #fault: FieldProblem | undefined
  readonly #adapted: FieldProblem[] = []

  constructor(row: ForeignRow) {
    this.#row = row
  }

  get fault(): FieldProblem | undefined {
    return this.#fault
  }

  get adapted(): readonly FieldProblem[] {
    return this.#adapted
  }

  refuse(field: string, problem: string): void {
    this.#fault ??= { field, problem }
  }

  adapt(field: string, problem: string): void {
    this.#adapted.push({ field, problem })
  }

  isNull(field: string): boolean {
    return this.#value(field) === null
  }

  /** A text of at most `max` characters; NULL reads as empty. Padding of fixed-length columns is removed. */
  text(field: string, max: number): string {
    const value = this.#value(field)
    if (value === null) return ''
    if (isUnreadable(value)) return this.#refused(field, value.unreadable, '')
    if (value instanceof Uint8Array) return this.#refused(field, 'is binary', '')
    if (typeof value === 'boolean') return this.#refused(field, 'is not text', '')
    const text = withoutPadding(String(value))
    const fault = textFault(text)
    if (fault !== undefined) return this.#refused(field, fault, '')
    if (text.length > max) return this.#refused(field, `is longer than ${max} characters`, '')
    return text
  }

  /** As `text`, but neither NULL nor empty. */
  required(field: string, max: number): string {
    const text = this.text(field, max)
    if (text === '') this.refuse(field, this.isNull(field) ? 'is NULL' : 'is empty')
    return text
  }

  /** A whole number from `min` to `max`; NULL reads as `absent`, or is refused without it. */
  integer(field: string, min: number, max: number, absent?: number): number {
    const value = this.#value(field)
    if (value === null) return absent ?? this.#refused(field, 'is NULL', 0)
    const number = wholeNumber(value)
    if (number === undefined) return this.#refused(field, 'is not a whole number', 0)
    return number >= min && number <= max ? number : this.#refused(field, `is not between ${min} and ${max}`, 0)
  }

  /** True, false, 1, 0 or their texts; NULL reads as false. */
  flag(field: string): boolean {
    const value = this.#value(field)
    if (value === null) return false
    const text = String(typeof value === 'object' ? 'object' : value).toLowerCase()
    if (text === '1' || text === 'true' || text === 't') return true
    if (text === '0' || text === 'false' || text === 'f' || text === '') return false
    return this.#refused(field, 'is not true or false', false)
  }

  /** Unix seconds, 0 for NULL and negative numbers; milliseconds are converted. */
  seconds(field: string): number {
    const time = this.integer(field, -LATEST_SECONDS, LATEST_SECONDS * 1_000, 0)
    const seconds = time > LATEST_SECONDS ? Math.floor(time / 1_000) : time
    return Math.max(0, seconds)
  }

  /** Whether a row is marked as deleted: a date that is not NULL. A date in year 0 is neither, and is refused. */
  deleted(field: string): boolean {
    const value = this.#value(field)
    if (value === null || value === '') return false
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
    const isDate = /^[1-9]\d{3}-\d\d-\d\d([ T].*)?$/.test(text) || /^[1-9]\d{8,12}$/.test(text)
    return isDate || this.#refused(field, 'is not a date', false)
  }

  /** The bytes of a binary column, or of base64 in a text column. */
  bytes(field: string, max: number): Uint8Array {
    const value = this.#value(field)
    const bytes = value instanceof Uint8Array ? value : Buffer.from(this.text(field, max * 2), 'base64')
    if (bytes.byteLength > max) return this.#refused(field, `is longer than ${max} bytes`, new Uint8Array())
    return bytes
  }

  /** A JSON object in a text or binary column; empty for NULL and blank, undefined for anything else. */
  object(field: string, max: number): Readonly<Record<string, unknown>> | undefined {
    const value = this.#value(field)
    const text = value instanceof Uint8Array ? Buffer.from(value).toString() : this.text(field, max)
    if (text.trim() === '' || text.trim() === 'null') return {}
    return objectIn(text.slice(0, max))
  }

  #value(field: string): ForeignValue | UnreadableText {
    return this.#row[field] ?? null
  }

  #refused<T>(field: string, problem: string, useless: T): T {
    this.refuse(field, problem)
    return useless
  }
}

/** The part of a text that PostgreSQL or JSON could not store; undefined for none. */
export function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'contains a NUL character'
  return text.isWellFormed() ? undefined : 'is not well-formed text'
}

/** Removes trailing spaces. A regular expression would take quadratic time. */
function withoutPadding(text: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === ' ') end -= 1
  return text.slice(0, end)
}

/** A JSON object; undefined for any other text. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}

/** An exact whole number; undefined for everything else. */
export function wholeNumber(value: ForeignValue | UnreadableText): number | undefined {
  const number =
    typeof value === 'number' || typeof value === 'bigint'
      ? Number(value)
      : typeof value === 'string' && INTEGER.test(value.trim())
        ? Number(value)
        : undefined
  return number !== undefined && Number.isSafeInteger(number) ? number : undefined
}

function isUnreadable(value: ForeignValue | UnreadableText): value is UnreadableText {
  return typeof value === 'object' && value !== null && 'unreadable' in value
}
