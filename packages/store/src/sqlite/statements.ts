import type { SqliteRow, SqliteValue } from './connection.ts'
import type { OpenProgram } from './program.ts'

/** Answer of `execute`: rows of a reading statement, or what a writing one changed. */
export type StatementResult =
  | { readonly rows: SqliteRow[] }
  | { readonly changes: number; readonly lastInsertRowid: bigint }

/** The program behind Kysely: runs one statement per call. */
export const open: OpenProgram = (connection) => ({
  execute: (sql: string, params: readonly SqliteValue[]): StatementResult => {
    const statement = connection.prepare(sql)
    return statement.reads ? { rows: statement.all(...params) } : statement.run(...params)
  },
})
