import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { rowObject, type SqliteRow, type SqliteValue } from './row-object.ts'

/**
 * One prepared statement. Integers of expression columns (`count(*)`, `sum(x)`) are numbers when they are safe integers, otherwise
 * bigint, because an expression has no declared type.
 */
export interface SqliteStatement {
  /** Names of the columns it returns; none for a statement that returns no rows. */
  readonly columns: readonly string[]
  run(...params: readonly SqliteValue[]): { readonly changes: number; readonly lastInsertRowid: bigint }
  get(...params: readonly SqliteValue[]): SqliteRow | undefined
  all(...params: readonly SqliteValue[]): SqliteRow[]
  /** Rows as arrays in the order of `columns`: half the cost of objects when they are sent to another thread. */
  values(...params: readonly SqliteValue[]): SqliteValue[][]
}

/** A SQLite connection, used by one thread. Everything is synchronous and throws SQLite's error with its `errcode`. */
export interface SqliteConnection {
  /** Runs statements that return nothing and take no parameters; several may be separated by `;`. */
  exec(sql: string): void
  /** Returns from a cache of the latest 256 texts, so calling it again with the same text is cheap. */
  prepare(sql: string): SqliteStatement
  close(): void
}

const BUSY_TIMEOUT_MS = 10_000
const CACHED_STATEMENTS = 256
const SQLITE_BUSY = 5
const SETTINGS = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma journal_size_limit = 67108864;
  pragma temp_store = memory;
  pragma trusted_schema = off;
`

/**
 * Opens (and creates, readable by its owner only) a database file: write-ahead log, every commit flushed to disk, foreign keys
 * enforced, waiting up to 10 s for another writer. This is the only file in the project that uses `node:sqlite`, because its main
 * class is going to be renamed.
 */
export function openSqliteConnection(file: string): SqliteConnection {
  createPrivateFile(file)
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true })
  database.exec(SETTINGS)
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
      // A cached `select *` must not outlive the table shape that it was planned for.
      if (/^\s*(create|alter|drop)\b/i.test(sql)) statements.clear()
      const statement = planStatement(database.prepare(sql))
      statements.set(sql, statement)
      const [oldest] = statements.keys()
      if (statements.size > CACHED_STATEMENTS && oldest !== undefined) statements.delete(oldest)
      return statement
    },
    close: () => {
      statements.clear()
      database.close()
    },
  }
}

/** A database that another program wrote, and that may be hostile. Only our own statements are run on it. */
export interface ForeignConnection {
  /** Rows as arrays; integers that a number cannot hold exactly are bigint. */
  values(sql: string): SqliteValue[][]
  close(): void
}

const FOREIGN_SETTINGS = `
  pragma query_only = on;
  pragma trusted_schema = off;
  pragma cell_size_check = on;
  pragma mmap_size = 0;
`

/**
 * Opens a file for reading only. Nothing in its schema can call a function with side effects. SQLite still creates `-wal` and
 * `-shm` next to a file in WAL mode, so open a copy.
 */
export function openForeignConnection(file: string): ForeignConnection {
  const database = openForeignFile(file)
  database.exec(FOREIGN_SETTINGS)
  return {
    values: (sql) => {
      const statement = database.prepare(sql)
      statement.setReadBigInts(true)
      statement.setReturnArrays(true)
      const rows = statement.all() as unknown as SqliteValue[][]
      for (const row of rows) {
        for (const [at, value] of row.entries()) if (typeof value === 'bigint' && isSafe(value)) row[at] = Number(value)
      }
      return rows
    },
    close: () => database.close(),
  }
}

/** All pages in one step: the copy shows a single moment, and a writer of the file waits no longer than the copy takes. */
const ALL_PAGES = 0x7fffffff

/** Copies the database as it is at one moment, even while another program writes to it; runs in Node's thread pool. */
export async function copyForeignDatabase(file: string, copy: string): Promise<void> {
  const database = openForeignFile(file)
  try {
    await backup(database, pathToFileURL(copy), { rate: ALL_PAGES })
  } finally {
    database.close()
  }
}

function openForeignFile(file: string): DatabaseSync {
  // As a URL, because SQLite would also treat a path that starts with "file:" as one.
  const options = { readOnly: true, timeout: BUSY_TIMEOUT_MS, defensive: true, allowExtension: false }
  return new DatabaseSync(pathToFileURL(file), options)
}

/**
 * Takes an exclusive lock on a separate file, which SQLite keeps empty, until the returned function is called or the process ends
 * in any way, when the kernel drops the lock. Undefined when another process has it, on any host or in any container.
 */
export function holdFileLock(file: string): (() => void) | undefined {
  createPrivateFile(file)
  const lock = new DatabaseSync(file, { timeout: 0 })
  try {
    // Nothing is ever written; without this there would be a journal next to it.
    lock.exec('pragma journal_mode = memory; begin exclusive')
    return () => lock.close()
  } catch (error) {
    lock.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return undefined
    throw error
  }
}

/**
 * Creates the file unless it exists; SQLite gives its side files (`-wal`, `-shm`) the same mode. An existing file is never opened
 * here: POSIX drops every lock that a process holds on a file as soon as the process closes any descriptor of it, and another
 * SQLite client would then consider the write-ahead log abandoned and delete it (sqlite.org/howtocorrupt.html, 2.2).
 */
function createPrivateFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/** Decides once per statement for which columns each value has to be checked. */
function planStatement(statement: StatementSync): SqliteStatement {
  const described = statement.columns()
  const columns = described.map((column) => column.name)
  const types = described.map((column) => column.type?.toLowerCase())
  const hasWide = types.some((type) => type === undefined || type === 'int8')
  statement.setReadBigInts(hasWide)
  statement.setReturnArrays(true)
  const narrowed = hasWide
    ? types.flatMap((type, index) => (type === 'int8' ? [] : [{ index, declared: type !== undefined }]))
    : []

  const narrow = (row: SqliteValue[]): SqliteValue[] => {
    for (const { index, declared } of narrowed) {
      const value = row[index]
      if (typeof value === 'bigint' && (declared || isSafe(value))) row[index] = Number(value)
    }
    return row
  }
  const values = (params: readonly SqliteValue[]): SqliteValue[][] => {
    // With `setReturnArrays` each row is an array, which the declared type of `all` does not reflect.
    const rows = statement.all(...(params as SQLInputValue[])) as unknown as SqliteValue[][]
    return narrowed.length === 0 ? rows : rows.map(narrow)
  }
  return {
    columns,
    run: (...params) => {
      const { changes, lastInsertRowid } = statement.run(...(params as SQLInputValue[]))
      return { changes: Number(changes), lastInsertRowid: BigInt(lastInsertRowid) }
    },
    get: (...params) => {
      const row = statement.get(...(params as SQLInputValue[])) as unknown as SqliteValue[] | undefined
      return row === undefined ? undefined : rowObject(columns, narrow(row))
    },
    all: (...params) => values(params).map((row) => rowObject(columns, row)),
    values: (...params) => values(params),
  }
}

function isSafe(value: bigint): boolean {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
}
