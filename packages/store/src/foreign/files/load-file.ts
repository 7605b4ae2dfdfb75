import type { SqliteConnection } from '../../sqlite/connection.ts'
import { createCsvReader } from './csv-records.ts'
import { createJsonlReader } from './jsonl-records.ts'
import { createLoadedTable, type LoadedTable } from './loaded-table.ts'
import { FileFault, type RecordReader } from './record-reader.ts'
import { openTextPieces } from './text-pieces.ts'

export type FileFormat = 'csv' | 'jsonl'

/** A file that is being loaded into a table. Throws `FileFault`. */
export interface FileLoad {
  /** Loads the next piece; false at the end of the file, when the table is complete. */
  next(): boolean
  close(): void
}

export function openFileLoad(
  connection: SqliteConnection,
  file: { readonly path: string; readonly format: FileFormat; readonly table: string },
): FileLoad {
  const pieces = openTextPieces(file.path)
  const table = createLoadedTable(connection, file.table)
  const reader = file.format === 'csv' ? csvInto(table) : jsonlInto(table)
  return {
    next: () => {
      const text = pieces.read()
      if (text !== undefined) {
        reader.push(text)
        return true
      }
      reader.end()
      table.end()
      return false
    },
    close: () => pieces.close(),
  }
}

/** The first record is the header. */
function csvInto(table: LoadedTable): RecordReader {
  let columns: readonly string[] | undefined
  const reader = createCsvReader((record, line) => {
    if (columns === undefined) {
      columns = record.map((name) => name ?? '')
      addColumns(table, columns, line)
    } else if (record.length === columns.length) {
      table.insert(columns, record)
    } else {
      throw new FileFault(line, `the record has ${record.length} fields, but the header has ${columns.length}`)
    }
  })
  return {
    push: (text) => reader.push(text),
    end: () => {
      reader.end()
      if (columns === undefined) throw new FileFault(1, 'the header with the names of the columns is missing')
    },
  }
}

function jsonlInto(table: LoadedTable): RecordReader {
  return createJsonlReader((record, line) => {
    const names = record.map(([name]) => name)
    addColumns(
      table,
      names.filter((name) => !table.has(name)),
      line,
    )
    const values = record.map(([, value]) => value)
    if (names.length > 0) table.insert(names, values)
  })
}

function addColumns(table: LoadedTable, names: readonly string[], line: number): void {
  const problem = table.addColumns(names)
  if (problem !== undefined) throw new FileFault(line, problem)
}
