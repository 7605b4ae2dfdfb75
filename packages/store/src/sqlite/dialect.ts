import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { type ProgramHost, SqliteError } from './host.ts'
import { rowObject } from './row-object.ts'
import type { StatementResult } from './statements.ts'

/**
 * Kysely over a database thread. There is one connection: Kysely's own mutex gives a transaction exclusive use of it, and every
 * other query waits until that transaction ends. So keep transactions short, and never await anything but the database inside one.
 */
export class SqliteThreadDialect implements Dialect {
  readonly #host: ProgramHost

  /** `host` runs the program `statements.ts`. */
  constructor(host: ProgramHost) {
    this.#host = host
  }

  createAdapter(): SqliteAdapter {
    return new SqliteAdapter()
  }

  createDriver(): Driver {
    return new ThreadDriver(this.#host)
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db)
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler()
  }
}

class ThreadDriver implements Driver {
  readonly #connection: ThreadConnection

  constructor(host: ProgramHost) {
    this.#connection = new ThreadConnection(host)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  /** `immediate` takes the write lock at once: a transaction waits at its start and never fails half-way with "busy". */
  async beginTransaction(): Promise<void> {
    await this.#connection.begin()
  }

  async commitTransaction(): Promise<void> {
    await this.#connection.end('commit')
  }

  async rollbackTransaction(): Promise<void> {
    await this.#connection.end('rollback')
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

class ThreadConnection implements DatabaseConnection {
  readonly #host: ProgramHost
  #transactionOf: number | undefined

  constructor(host: ProgramHost) {
    this.#host = host
  }

  async begin(): Promise<void> {
    const { generation } = this.#host
    await this.#execute('begin immediate', [])
    this.#transactionOf = generation
  }

  async end(how: 'commit' | 'rollback'): Promise<void> {
    const lost = this.#lostTransaction()
    try {
      // A transaction lost with its connection is already rolled back.
      if (how === 'commit' || !lost) await this.#execute(how, [])
    } catch (error) {
      // SQLite rolls back automatically when the disk is full or fails: the caller must see that error, not this one.
      if (how === 'commit' || !isRolledBack(error)) throw error
    } finally {
      this.#transactionOf = undefined
    }
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const result = await this.#execute(query.sql, query.parameters)
    if ('rows' in result) return { rows: result.rows.map((row) => rowObject(result.columns, row) as R) }
    return { rows: [], numAffectedRows: BigInt(result.changes), insertId: result.lastInsertRowid }
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('rows are not streamed from a database thread; page through them')
  }

  async #execute(sql: string, params: readonly unknown[]): Promise<StatementResult> {
    if (this.#lostTransaction()) {
      throw new SqliteError('the database thread was replaced during this transaction, which was rolled back')
    }
    return (await this.#host.call('execute', [sql, params])) as StatementResult
  }

  #lostTransaction(): boolean {
    return this.#transactionOf !== undefined && this.#transactionOf !== this.#host.generation
  }
}

function isRolledBack(error: unknown): boolean {
  return error instanceof SqliteError && error.message === 'cannot rollback - no transaction is active'
}
