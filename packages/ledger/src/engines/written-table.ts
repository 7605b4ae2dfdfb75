export type SqlValue = null | number | bigint | string

interface ColumnValues {
  readonly text: string | null
  readonly int: number | null
  /** An integer up to 2^53 − 1, which PostgreSQL keeps as double precision. */
  readonly safe: number
  readonly int8: bigint
}
export type ColumnType = keyof ColumnValues

type Column<Row> = { [T in ColumnType]: readonly [type: T, valueOf: (row: Row) => ColumnValues[T]] }[ColumnType]
/** By column: its type, and its value in a row. */
export type Columns<Row> = Readonly<Record<string, Column<Row>>>

/** A table that batches write. Names, types and values are in column order. */
export interface WrittenTable<Row> {
  readonly name: string
  readonly columns: readonly string[]
  readonly types: readonly ColumnType[]
  readonly valuesOf: readonly ((row: Row) => SqlValue)[]
  /** The values of one row, for a statement with a parameter for each column. */
  readonly values: (row: Row) => SqlValue[]
}

/** Defines a table by its columns, so that names, casts and values cannot get out of step. */
export function writtenTable<Row>(name: string, columns: Columns<Row>): WrittenTable<Row> {
  const entries = Object.values(columns)
  const valuesOf = entries.map(([, valueOf]) => valueOf)
  return {
    name,
    columns: Object.keys(columns),
    types: entries.map(([type]) => type),
    valuesOf,
    values: (row) => valuesOf.map((valueOf) => valueOf(row)),
  }
}

/** An insertion of one row; `place` returns the parameter of a column, counted from 1. */
export function insertInto({ name, columns }: WrittenTable<never>, place: (at: number) => string = () => '?'): string {
  return `insert into ${name} (${columns.join(', ')}) values (${columns.map((_, i) => place(i + 1)).join(', ')})`
}

/** An update of one row by its key columns, for SQLite; takes the parameters of an insertion. */
export function updateBy({ name, columns }: WrittenTable<never>, key: readonly string[]): string {
  const equals = (column: string): string => `${column} = ?${columns.indexOf(column) + 1}`
  const changed = columns.filter((column) => !key.includes(column))
  return `update ${name} set ${changed.map(equals).join(', ')} where ${key.map(equals).join(' and ')}`
}
