/** What the SQLite engine needs from a connection; the store's connection in its database thread fits. */
export interface SqliteConnection {
  exec(sql: string): void
  prepare(sql: string): SqliteStatement
}

/** Columns declared `int8` are bigint, other integer columns number. */
export interface SqliteStatement {
  run(...params: readonly SqliteValue[]): { readonly changes: number }
  /** Rows as arrays, in the order of the columns. */
  values(...params: readonly SqliteValue[]): SqliteValue[][]
}

export type SqliteValue = null | number | bigint | string | Uint8Array
