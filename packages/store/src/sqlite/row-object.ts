/** A column's value. Columns declared `int8` are bigint, other integer columns number. */
export type SqliteValue = null | number | bigint | string | Uint8Array
export type SqliteRow = Record<string, SqliteValue>

/** One row as an object; of two columns with the same name the later one wins. */
export function rowObject(columns: readonly string[], values: readonly SqliteValue[]): SqliteRow {
  const row: SqliteRow = {}
  for (const [index, name] of columns.entries()) row[name] = values[index] ?? null
  return row
}
