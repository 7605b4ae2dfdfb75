import type { SqliteConnection } from '../sqlite/connection.ts'
import type { OpenProgram } from '../sqlite/program.ts'
import type { SqliteValue } from '../sqlite/row-object.ts'
import { type RowText, rowValues } from './row-text.ts'

/** Adds rows in the database's thread, in one transaction: parsing JSON in SQL is several times slower. No triggers meanwhile. */
export const open: OpenProgram = (connection) => ({
  insert: (table: string, statement: string, rows: readonly RowText[]): void => {
    connection.exec('begin immediate')
    try {
      const restore = dropTriggers(connection, table)
      const insert = connection.prepare(statement)
      for (const row of rows) insert.run(...(rowValues(row) as readonly SqliteValue[]))
      restore()
      connection.exec('commit')
    } catch (error) {
      try {
        connection.exec('rollback')
      } catch {
        // SQLite has already rolled back, as it does when the disk is full.
      }
      throw error
    }
  },
})

function dropTriggers(connection: SqliteConnection, table: string): () => void {
  const select = connection.prepare(`select name, sql from sqlite_schema where type = 'trigger' and tbl_name = ?`)
  const triggers = select.all(table)
  for (const { name } of triggers) connection.exec(`drop trigger ${String(name)}`)
  return () => {
    for (const { sql } of triggers) connection.exec(String(sql))
  }
}
