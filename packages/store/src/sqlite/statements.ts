import type { OpenProgram } from './program.ts'
import type { SqliteValue } from './row-object.ts'

/** Result of `execute`: the rows of a reading statement, or the changes of a writing one. */
export type StatementResult =
  | { readonly columns: readonly string[]; readonly rows: SqliteValue[][] }
  | { readonly changes: number; readonly lastInsertRowid: bigint }

/** The program behind Kysely: runs one statement per call. */
export const open: OpenProgram = (connection) => ({
  execute: (sql: string, params: readonly SqliteValue[]): StatementResult => {
    const statement = connection.prepare(sql)
    return statement.columns.length > 0
      ? { columns: statement.columns, rows: statement.values(...params) }
      : statement.run(...params)
  },
})
