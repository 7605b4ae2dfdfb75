import type { OpenForeignProgram } from '../../sqlite/program.ts'

/** The program that reads a foreign file: runs one reading statement per call. */
export const open: OpenForeignProgram = (connection) => ({
  values: (sql: string) => connection.values(sql),
})
