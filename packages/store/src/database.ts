import { Kysely, PostgresDialect } from 'kysely'
import { openPostgresClient, type PostgresClient } from './postgres/client.ts'
import { openPool } from './postgres/pool.ts'
import type { Schema } from './schema.ts'
import { SqliteThreadDialect } from './sqlite/dialect.ts'
import { type ProgramHost, startProgram } from './sqlite/host.ts'

/** Where the data is: a SQLite file, or a PostgreSQL server (`postgres://user:password@host:5432/name`). */
export type DatabaseTarget = { readonly sqliteFile: string } | { readonly url: string }

/**
 * An open database. Everybody shares `kysely`, except the ledger, which gets a connection of its own: a program in a thread
 * on SQLite, a direct client on PostgreSQL.
 *
 * Integers: columns declared `int8` (money) are bigint, all others number. Aggregates have no declared type and differ
 * between the engines: read them through `asNumber` or `asBigInt` of `aggregates.ts`.
 */
export type Database = SqliteDatabase | PostgresDatabase

export interface SqliteDatabase {
  readonly engine: 'sqlite'
  readonly file: string
  readonly kysely: Kysely<Schema>
  /** Starts a thread with its own connection that runs the module at `program` (see `sqlite/program.ts`). */
  openProgram(program: URL): Promise<ProgramHost>
  /** Closes the shared connection. Programs are closed by whoever opened them. */
  close(): Promise<void>
}

export interface PostgresDatabase {
  readonly engine: 'postgres'
  readonly kysely: Kysely<Schema>
  /** A direct connection, outside the pool; closed by whoever opened it. */
  openClient(): PostgresClient
  /** Ends the pool. */
  close(): Promise<void>
}

/** A management query that runs longer is given up (class S7: search as denial of service). */
const QUERY_TIMEOUT_MS = 15_000
/** A ledger batch may wait 10 s for the write lock before it works. */
const PROGRAM_TIMEOUT_MS = 30_000

/** Opens, but does not migrate: call `migrate` before the first query. */
export async function openDatabase(target: DatabaseTarget): Promise<Database> {
  return 'sqliteFile' in target ? await openSqlite(target.sqliteFile) : openPostgres(target.url)
}

/** Kysely over a thread of its own; `close` ends both. */
export async function openSqliteKysely(
  file: string,
  timeoutMs: number,
): Promise<{ readonly kysely: Kysely<Schema>; readonly close: () => Promise<void> }> {
  const program = new URL('./sqlite/statements.ts', import.meta.url)
  const host = await startProgram({ file, program, timeoutMs })
  const kysely = new Kysely<Schema>({ dialect: new SqliteThreadDialect(host) })
  return {
    kysely,
    close: async () => {
      await kysely.destroy()
      await host.close()
    },
  }
}

async function openSqlite(file: string): Promise<SqliteDatabase> {
  return {
    engine: 'sqlite',
    file,
    ...(await openSqliteKysely(file, QUERY_TIMEOUT_MS)),
    openProgram: (program) => startProgram({ file, program, timeoutMs: PROGRAM_TIMEOUT_MS }),
  }
}

function openPostgres(url: string): PostgresDatabase {
  const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: openPool(url) }) })
  return {
    engine: 'postgres',
    kysely,
    openClient: () => openPostgresClient(url),
    close: () => kysely.destroy(),
  }
}
