import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite'

/** What a column can hold. Columns declared `int8` are bigint, other integer columns number. */
export type SqliteValue = null | number | bigint | string | Uint8Array
export type SqliteRow = Record<string, SqliteValue>

/**
 * One prepared statement. Integers of expression columns (`count(*)`, `sum(x)`) are numbers when they are safe integers,
 * else bigint, because an expression has no declared type.
 */
export interface SqliteStatement {
  /** True when it returns rows: selects and anything with `returning`. */
  readonly reads: boolean
  run(...params: readonly SqliteValue[]): { readonly changes: number; readonly lastInsertRowid: bigint }
  get(...params: readonly SqliteValue[]): SqliteRow | undefined
  all(...params: readonly SqliteValue[]): SqliteRow[]
}

/** A SQLite connection, used by one thread. Everything is synchronous and throws SQLite's error with its `errcode`. */
export interface SqliteConnection {
  /** Runs statements that return nothing and take no parameters; several may be separated by `;`. */
  exec(sql: string): void
  /** Answers from a cache of the latest texts, so calling it again with the same text is cheap. */
  prepare(sql: string): SqliteStatement
  close(): void
}

const BUSY_TIMEOUT_MS = 10_000
const CACHED_STATEMENTS = 256

/**
 * Opens (and creates, readable by its owner only) a database file: write-ahead log, every commit flushed to disk, foreign
 * keys enforced, 10 s of patience with another writer. The only file of the project that touches `node:sqlite`, whose main
 * class is announced to be renamed.
 */
export function openSqliteConnection(file: string): SqliteConnection {
  createPrivateFile(file)
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true })
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = full; pragma temp_store = memory; pragma trusted_schema = off',
  )
  const statements = new Map<string, SqliteStatement>()
  return {
    exec: (sql) => {
      statements.clear()
      database.exec(sql)
    },
    prepare: (sql) => {
      const known = statements.get(sql)
      if (known !== undefined) {
        statements.delete(sql)
        statements.set(sql, known)
        return known
      }
      // A cached `select *` must not outlive the shape it was planned for.
      if (/^\s*(create|alter|drop)\b/i.test(sql)) statements.clear()
      const statement = planStatement(database.prepare(sql))
      statements.set(sql, statement)
      if (statements.size > CACHED_STATEMENTS) {
        for (const oldest of statements.keys()) {
          statements.delete(oldest)
          break
        }
      }
      return statement
    },
    close: () => {
      statements.clear()
      database.close()
    },
  }
}

function createPrivateFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
}

/** Decides once per statement which columns need a look at each value. */
function planStatement(statement: StatementSync): SqliteStatement {
  const columns = statement.columns()
  const declared = columns.map((column) => column.type?.toLowerCase() ?? null)
  const plain = declared.every((type) => type !== null && type !== 'int8')
  statement.setReadBigInts(!plain)
  const narrow = columns.flatMap((column, i) => {
    const type = declared[i] ?? null
    return plain || type === 'int8' ? [] : [{ name: column.name, expression: type === null }]
  })
  const convert = (row: Record<string, SQLOutputValue>): SqliteRow => {
    for (const { name, expression } of narrow) {
      const value = row[name]
      if (typeof value === 'bigint' && (!expression || isSafe(value))) row[name] = Number(value)
    }
    return row
  }
  return {
    reads: columns.length > 0,
    run: (...params) => {
      const { changes, lastInsertRowid } = statement.run(...(params as SQLInputValue[]))
      return { changes: Number(changes), lastInsertRowid: BigInt(lastInsertRowid) }
    },
    get: (...params) => {
      const row = statement.get(...(params as SQLInputValue[]))
      return row === undefined ? undefined : convert(row)
    },
    all: (...params) => {
      const rows = statement.all(...(params as SQLInputValue[]))
      return narrow.length === 0 ? rows : rows.map(convert)
    },
  }
}

function isSafe(value: bigint): boolean {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
}
