import { ForeignTrouble, type ForeignValue } from './foreign-database.ts'

/** What a column's type guarantees. `fixed`: short values of another type. `any`: SQLite, where every value has its own type. */
export type ColumnShape = 'integer' | 'fixed' | 'text' | 'bytes' | 'any'

export interface SourceColumn {
  /** Quoted. */
  readonly sql: string
  readonly shape: ColumnShape
}

export interface SourceTable {
  /** Quoted, with its schema. */
  readonly sql: string
  readonly columns: ReadonlyMap<string, SourceColumn>
}

/** How one engine expresses what `read-tables.ts` needs. Every string is SQL over a column. */
export interface SourceWords {
  value(column: SourceColumn): string
  /**
   * The value in a form that compares like an integer and lets the engine use an index over the column, and a condition for the
   * rows in which it really is one; undefined: all.
   */
  key(column: SourceColumn): { readonly sql: string; readonly where: string | undefined }
  /** The value as an integer; NULL when it is not one. */
  integer(column: SourceColumn): string
  /** Bytes of the value; undefined for columns whose values are short. */
  size(column: SourceColumn): string | undefined
  /** The value's text, or its bytes for `decodeText`. Grouping by it distinguishes values that differ in a single byte. */
  name(column: SourceColumn): string
  /** The bytes of a text, where `value` may have lost some; undefined if it cannot. */
  exactText(column: SourceColumn): string | undefined
}

/** An open source whose statements all see it at one moment. */
export interface SourceEngine {
  readonly tables: ReadonlyMap<string, SourceTable>
  readonly words: SourceWords
  /** Rejects with `ForeignTrouble`. */
  query(sql: string): Promise<readonly (readonly ForeignValue[])[]>
  /** Undefined: the bytes are not a text in the source's encoding. */
  decodeText(bytes: Uint8Array): string | undefined
  refresh(): Promise<void>
  close(): Promise<void>
}

export type OpenedSource = { readonly source: SourceEngine } | { readonly problem: string }

/** A name in standard SQL quotes, which MySQL is told to understand. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** A number if that is exact, otherwise a bigint. */
export function integerOf(text: string): number | bigint {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : BigInt(text)
}

/** No gateway has a larger schema; one would only take memory. */
const MAX_TABLES = 2_000
const MAX_COLUMNS = 1_000

/** A stored column of a real table. */
export interface CatalogueRow {
  readonly table: string
  /** As in `SourceTable`. */
  readonly tableSql: string
  readonly column: string
  readonly shape: ColumnShape
}

/** Collects the rows of a catalogue; throws `ForeignTrouble` for more than 2,000 tables, or 1,000 columns in one. */
export function tablesOf(rows: Iterable<CatalogueRow>): ReadonlyMap<string, SourceTable> {
  const tables = new Map<string, { sql: string; columns: Map<string, SourceColumn> }>()
  for (const { table, tableSql, column, shape } of rows) {
    const known = tables.get(table) ?? { sql: tableSql, columns: new Map<string, SourceColumn>() }
    tables.set(table, known)
    known.columns.set(column, { sql: quoted(column), shape })
    if (tables.size > MAX_TABLES) throw new ForeignTrouble(`the source has more than ${MAX_TABLES} tables`)
    if (known.columns.size > MAX_COLUMNS)
      throw new ForeignTrouble(`a table of the source has more than ${MAX_COLUMNS} columns`)
  }
  return tables
}

/**
 * The key as SQL, and the condition for usable keys with `after < key <= until`: two bounds and no more, because SQLite seeks with
 * one of each kind.
 */
export function keyOf(
  words: SourceWords,
  column: SourceColumn,
  after: bigint | number = 0,
  until = Number.MAX_SAFE_INTEGER,
): { readonly sql: string; readonly where: string } {
  const { sql, where } = words.key(column)
  const from = after < 0 ? 0n : BigInt(after)
  const bounds = `${sql} > ${from} and ${sql} <= ${BigInt(Math.min(until, Number.MAX_SAFE_INTEGER))}`
  return { sql, where: where === undefined ? bounds : `${bounds} and ${where}` }
}
