import type { OpenProgram } from '../../sqlite/program.ts'
import { type FileFormat, type FileLoad, openFileLoad } from './load-file.ts'
import { FileFault } from './record-reader.ts'

/** The progress of loading a file, or the problem with it ("line 7: …"). */
export type LoadStep = { readonly isDone: boolean } | { readonly problem: string }

/** Pieces per step, 16 MB in all: loading can be cancelled between two steps, and none takes long. */
const STEP_PIECES = 64

/** The database has no other user and is discarded after a crash. */
const SETTINGS = `
  pragma journal_mode = off;
  pragma synchronous = off;
  pragma locking_mode = exclusive;
`

/** Loads files into the tables of a new database, one after the other. */
export const open: OpenProgram = (connection) => {
  connection.exec(SETTINGS)
  let load: FileLoad | undefined
  return {
    begin: (path: string, format: FileFormat, table: string): void => {
      load = openFileLoad(connection, { path, format, table })
      connection.exec('begin')
    },
    step: (): LoadStep => {
      if (load === undefined) throw new Error('no file is being loaded')
      try {
        for (let pieces = 0; pieces < STEP_PIECES; pieces += 1) {
          if (load.next()) continue
          connection.exec('commit')
          load.close()
          load = undefined
          return { isDone: true }
        }
        return { isDone: false }
      } catch (error) {
        if (error instanceof FileFault) return { problem: `line ${error.line}: ${error.message}` }
        throw error
      }
    },
  }
}
