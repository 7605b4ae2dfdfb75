import type { SqliteConnection, SqliteStatement } from '../../sqlite/connection.ts'
import type { SqliteValue } from '../../sqlite/row-object.ts'
import { quoted } from '../source-engine.ts'

export interface LoadedTable {
  /** Adds columns; returns the problem with their names, if any. */
  addColumns(names: readonly string[]): string | undefined
  has(column: string): boolean
  insert(columns: readonly string[], values: readonly SqliteValue[]): void
  /** Makes the rows available in the order of their ids. */
  end(): void
}

const KEY = 'id'
/** Columns that an engine has to order, compare or add up; whole numbers in them are stored as such, whatever the file's format. */
const INTEGERS: ReadonlySet<string> = new Set([
  KEY,
  'user_id',
  'channel_id',
  'type',
  'created_at',
  'quota',
  'prompt_tokens',
  'completion_tokens',
])
const MAX_COLUMNS = 1_000
const MAX_NAME_CHARACTERS = 200

/** The table appears with its first column. */
export function createLoadedTable(connection: SqliteConnection, name: string): LoadedTable {
  const table = quoted(name)
  const columns = new Set<string>()
  const inAnyCase = new Set<string>()
  let lastColumns = ''
  let insertion: SqliteStatement | undefined

  const problemOf = (column: string): string | undefined => {
    if (column === '') return 'a column has no name'
    if (column.length > MAX_NAME_CHARACTERS || column.includes('\0'))
      return `a column's name is longer than ${MAX_NAME_CHARACTERS} characters or contains a zero byte`
    if (inAnyCase.has(column.toLowerCase())) return `two columns are named "${column}", or differ only in case`
    return columns.size === MAX_COLUMNS ? `there are more than ${MAX_COLUMNS} columns` : undefined
  }
  return {
    addColumns: (names) => {
      for (const column of names) {
        const problem = problemOf(column)
        if (problem !== undefined) return problem
        const declared = `${quoted(column)}${INTEGERS.has(column) ? ' integer' : ''}`
        const statement =
          columns.size === 0 ? `create table ${table} (${declared})` : `alter table ${table} add column ${declared}`
        connection.exec(statement)
        columns.add(column)
        inAnyCase.add(column.toLowerCase())
        insertion = undefined
      }
      return undefined
    },
    has: (column) => columns.has(column),
    insert: (names, values) => {
      const list = names.map(quoted).join(', ')
      if (insertion === undefined || list !== lastColumns) {
        insertion = connection.prepare(`insert into ${table} (${list}) values (${names.map(() => '?').join(', ')})`)
        lastColumns = list
      }
      insertion.run(...values)
    },
    end: () => {
      if (columns.has(KEY)) connection.exec(`create index ${quoted(`${name} by key`)} on ${table} (${quoted(KEY)})`)
    },
  }
}
