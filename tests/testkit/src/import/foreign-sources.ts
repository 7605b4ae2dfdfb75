import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteConnection } from '@sluice/store/sqlite/connection'
import { Client } from 'pg'
import { createMysqlDatabase } from '../mysql-databases.ts'
import { createPostgresDatabase } from '../postgres-databases.ts'

export type SourceEngine = 'sqlite' | 'csv' | 'postgres' | 'mysql'

/** Column types for which every engine has its own word. */
export type SourceType = 'integer' | 'text' | 'boolean'

export interface SourceRows {
  readonly table: string
  readonly columns: Readonly<Record<string, SourceType>>
  /** The first column is the primary key. */
  readonly rows: readonly (readonly (string | number | bigint | boolean | null)[])[]
}

export interface TestSource {
  readonly source: string
  /** Runs SQL with the engine's own quoting; not for a CSV folder. */
  run(sql: string): Promise<void>
  remove(): Promise<void>
}

export async function createTestSource(engine: SourceEngine, tables: readonly SourceRows[]): Promise<TestSource> {
  const source = await createEmptySource(engine)
  if (engine === 'csv') {
    for (const each of tables) await writeFile(join(source.source, `${each.table}.csv`), csvOf(each))
  } else {
    const statements = tables.flatMap((each) => statementsOf(engine, each))
    // One connection for all statements, if the engine takes several at once.
    for (const some of engine === 'sqlite' ? [statements.join(';\n')] : statements) await source.run(some)
  }
  return source
}

export const createEmptySource = (engine: SourceEngine): Promise<TestSource> => creators[engine]()

const creators: Readonly<Record<SourceEngine, () => Promise<TestSource>>> = {
  sqlite: async () => {
    const directory = await mkdtemp(join(tmpdir(), 'sluice-foreign-'))
    const source = join(directory, 'one-api.db')
    const run = async (sql: string): Promise<void> => {
      const connection = openSqliteConnection(source)
      try {
        connection.exec('pragma synchronous = off')
        connection.exec(sql)
        // The family's programs leave their files in this mode.
        connection.exec('pragma journal_mode = delete')
      } finally {
        connection.close()
      }
    }
    return { source, run, remove: () => rm(directory, { recursive: true, force: true }) }
  },
  csv: async () => {
    const directory = await mkdtemp(join(tmpdir(), 'sluice-foreign-'))
    const source = join(directory, 'tables')
    await mkdir(source)
    const run = (): Promise<void> => Promise.reject(new Error('a folder runs no statements'))
    return { source, run, remove: () => rm(directory, { recursive: true, force: true }) }
  },
  postgres: async () => {
    const { url, drop } = await createPostgresDatabase('empty')
    const run = async (sql: string): Promise<void> => {
      const client = new Client({ connectionString: url })
      await client.connect()
      try {
        await client.query(sql)
      } finally {
        await client.end()
      }
    }
    return { source: url, run, remove: drop }
  },
  mysql: async () => {
    const database = await createMysqlDatabase()
    const run = (sql: string): Promise<void> =>
      database.run(`set sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'; ${sql}`)
    return { source: database.url, run, remove: () => database.drop() }
  },
}

const TYPES: Readonly<Record<Exclude<SourceEngine, 'csv'>, Readonly<Record<SourceType, string>>>> = {
  sqlite: { integer: 'integer', text: 'text', boolean: 'numeric' },
  postgres: { integer: 'bigint', text: 'text', boolean: 'boolean' },
  mysql: { integer: 'bigint', text: 'longtext', boolean: 'tinyint(1)' },
}
const ROWS_OF_A_STATEMENT = 500

function statementsOf(engine: Exclude<SourceEngine, 'csv'>, { table, columns, rows }: SourceRows): readonly string[] {
  const declared = Object.entries(columns).map(
    ([name, type], at) => `"${name}" ${TYPES[engine][type]}${at === 0 && type === 'integer' ? ' primary key' : ''}`,
  )
  const statements = [`create table "${table}" (${declared.join(', ')})`]
  for (let at = 0; at < rows.length; at += ROWS_OF_A_STATEMENT) {
    const values = rows.slice(at, at + ROWS_OF_A_STATEMENT).map((row) => `(${row.map(literal).join(', ')})`)
    statements.push(`insert into "${table}" values ${values.join(', ')}`)
  }
  return statements
}

function literal(value: SourceRows['rows'][number][number]): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  return String(value)
}

function csvOf({ columns, rows }: SourceRows): string {
  const field = (value: SourceRows['rows'][number][number]): string =>
    value === null ? '' : typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : String(value)
  return [Object.keys(columns).join(','), ...rows.map((row) => row.map(field).join(','))].join('\n') + '\n'
}
