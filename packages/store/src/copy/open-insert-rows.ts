import type { SqliteDatabase } from '../database.ts'
import type { ProgramHost } from '../sqlite/host.ts'

const INSERT_ROWS_PROGRAM = new URL('./insert-rows-program.ts', import.meta.url)

/** The thread in which rows are added to a SQLite file. */
export async function openInsertRows(database: SqliteDatabase): Promise<ProgramHost> {
  return await database.openProgram(INSERT_ROWS_PROGRAM)
}
