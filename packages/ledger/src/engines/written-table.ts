export type SqlValue = null | number | bigint | string

/** `safe` is an integer up to 2^53 − 1, which PostgreSQL keeps as double precision. */
export type ColumnType = 'text' | 'int' | 'safe' | 'int8'

/** A table that batches write: its columns, and the values of one row in their order. */
export interface WrittenTable<Row> {
  readonly name: string
  readonly columns: Readonly<Record<string, ColumnType>>
  readonly values: (row: Row) => SqlValue[]
}
