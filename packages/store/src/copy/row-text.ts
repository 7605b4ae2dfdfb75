import { type RawBuilder, sql } from 'kysely'
import type { Engine } from '../column-types.ts'
import type { Column, TableShape } from './table-shape.ts'

/**
 * A row as one JSON array of its columns in the order of its shape, built by the database that holds it: the same row gives the
 * same text on both engines, so rows are compared exactly without being parsed. 64-bit integers are strings in it. Both engines
 * escape texts as `JSON.stringify` does.
 */
export type RowText = string

export type RowValue = string | number | null | DamagedText

/**
 * A text that is not UTF-8, which SQLite stores unchanged. Read as a text, it would have replacement characters for the invalid
 * bytes, and could equal a different text.
 */
export interface DamagedText {
  /** Hex. */
  readonly bytes: string
}

/** A safe integer in a `double precision` column is written as SQLite writes it: without a fraction or exponent. */
const MAX_SAFE = Number.MAX_SAFE_INTEGER

export function rowTextOf({ columns }: TableShape, engine: Engine): RawBuilder<RowText> {
  if (engine === 'sqlite') return sql`json_array(${sql.join(columns.map(sqliteValue))})`
  return sql`'[' || ${sql.join(columns.map(postgresValue), sql` || ',' || `)} || ']'`
}

function sqliteValue({ name, isWide }: Column): RawBuilder<unknown> {
  return isWide ? sql`cast(${sql.ref(name)} as text)` : sql.ref(name)
}

function postgresValue(column: Column): RawBuilder<string> {
  return sql`coalesce(${postgresText(column)}, 'null')`
}

function postgresText({ name, type, isWide }: Column): RawBuilder<string> {
  const value = sql.ref(name)
  if (isWide) return sql`'"' || ${value}::text || '"'`
  switch (type) {
    case 'text':
      return sql`to_json(${value})::text`
    case 'double precision':
      return sql`case when ${value} = trunc(${value}) and abs(${value}) <= ${sql.lit(MAX_SAFE)}
        then ${value}::bigint::text else to_json(${value})::text end`
    default:
      return sql`${value}::text`
  }
}

export function rowValues(text: RowText): readonly RowValue[] {
  return JSON.parse(text) as readonly RowValue[]
}

const DAMAGED = '{"bytes":"'

/** True when a value of the row is not UTF-8. Inside a text, the quotation marks of the mark would be escaped. */
export function isDamaged(text: RowText): boolean {
  return text.includes(DAMAGED)
}

/** The order of two rows by their keys, texts by their bytes: below, equal to or above 0. */
export function compareKeys(a: readonly RowValue[], b: readonly RowValue[], { key }: TableShape): number {
  for (const [at] of key.entries()) {
    const order = compareValues(a[at] ?? null, b[at] ?? null)
    if (order !== 0) return order
  }
  return 0
}

/** On either engine, numbers come as numbers, or as strings from 64-bit integer columns. */
function compareValues(a: RowValue, b: RowValue): number {
  if (a === b) return 0
  const [ours, theirs] = [bytesOf(a), bytesOf(b)]
  if (ours !== undefined && theirs !== undefined) return Buffer.compare(ours, theirs)
  return Number(a) - Number(b)
}

function bytesOf(value: RowValue): Buffer | undefined {
  if (typeof value === 'string') return Buffer.from(value)
  return value === null || typeof value === 'number' ? undefined : Buffer.from(value.bytes, 'hex')
}
