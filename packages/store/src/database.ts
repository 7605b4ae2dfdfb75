import { Kysely, PostgresDialect } from 'kysely'
import { openPostgresClient, type PostgresClient } from './postgres/client.ts'
import { openPool } from './postgres/pool.ts'
import type { Schema } from './schema.ts'
import { SqliteThreadDialect } from './sqlite/dialect.ts'
import { type ProgramHost, startProgram } from './sqlite/host.ts'

/** Where the data is: a SQLite file, or a PostgreSQL server (`postgres://user:password@host:5432/name`). */
export type DatabaseTarget = { readonly sqliteFile: string } | { readonly url: string }

/**
 * An open database. Everybody shares `kysely`, which gives up a query after 15 s (class S7: search as denial of service);
 * the ledger gets a connection of its own: a program in a thread on SQLite, a direct client on PostgreSQL.
 *
 * Integers: columns declared `int8` (money) are bigint, all others number. Aggregates have no declared type and differ
 * between the engines: read them through `asNumber` or `asBigInt` of `aggregates.ts`.
 */
export type Database = SqliteDatabase | PostgresDatabase

/** Queries through Kysely, with a time limit of their own. */
export interface Queries {
  readonly kysely: Kysely<Schema>
  /** Waits for the queries on their way, then ends the connection or pool. */
  close(): Promise<void>
}

export interface SqliteDatabase extends Queries {
  readonly engine: 'sqlite'
  readonly file: string
  /**
   * Another thread with its own connection, for who must not wait behind the shared one. Close it yourself; it costs about
   * 20 MB and 50 ms.
   */
  openQueries(timeoutMs: number): Promise<Queries>
  /** Starts a thread with its own connection that runs the module at `program` (see `sqlite/program.ts`). */
  openProgram(program: URL): Promise<ProgramHost>
}

export interface PostgresDatabase extends Queries {
  readonly engine: 'postgres'
  /** Another pool, for who must not wait behind the shared one. Close it yourself. */
  openQueries(timeoutMs: number): Promise<Queries>
  /** A direct connection, outside any pool. Close it yourself. */
  openClient(): PostgresClient
}

const QUERY_TIMEOUT_MS = 15_000
/** A ledger batch may wait 10 s for the write lock before it works. */
const PROGRAM_TIMEOUT_MS = 30_000

/** Opens, but does not migrate: call `migrate` before the first query. */
export async function openDatabase(target: DatabaseTarget): Promise<Database> {
  return 'sqliteFile' in target ? await openSqlite(target.sqliteFile) : openPostgres(target.url)
}

async function openSqlite(file: string): Promise<SqliteDatabase> {
  const openQueries = async (timeoutMs: number): Promise<Queries> => {
    const program = new URL('./sqlite/statements.ts', import.meta.url)
    const host = await startProgram({ file, program, timeoutMs })
    const kysely = new Kysely<Schema>({ dialect: new SqliteThreadDialect(host) })
    const close = async (): Promise<void> => {
      await kysely.destroy()
      await host.close()
    }
    return { kysely, close }
  }
  return {
    engine: 'sqlite',
    file,
    ...(await openQueries(QUERY_TIMEOUT_MS)),
    openQueries,
    openProgram: (program) => startProgram({ file, program, timeoutMs: PROGRAM_TIMEOUT_MS }),
  }
}

function openPostgres(url: string): PostgresDatabase {
  const openQueries = (timeoutMs: number): Queries => {
    const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: openPool(url, timeoutMs) }) })
    return { kysely, close: () => kysely.destroy() }
  }
  return {
    engine: 'postgres',
    ...openQueries(QUERY_TIMEOUT_MS),
    openQueries: async (timeoutMs) => openQueries(timeoutMs),
    openClient: () => openPostgresClient(url, QUERY_TIMEOUT_MS),
  }
}
