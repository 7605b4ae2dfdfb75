import { Kysely, PostgresDialect } from 'kysely'
import { openPostgresClient, type PostgresClient } from './postgres/client.ts'
import { openPool, QUERY_TIMEOUT_MS } from './postgres/pool.ts'
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

/** Queries for everybody: gives up one that takes longer than 15 s. */
interface Queries {
  readonly kysely: Kysely<Schema>
  /** Waits for the queries on their way. Programs, clients and patient handles are closed by whoever opened them. */
  close(): Promise<void>
}

export interface SqliteDatabase extends Queries {
  readonly engine: 'sqlite'
  readonly file: string
  /** Starts a thread with its own connection that runs the module at `program` (see `sqlite/program.ts`). */
  openProgram(program: URL): Promise<ProgramHost>
  /** A connection on which a statement may take an hour, for migrations. */
  openPatient(): Promise<Queries>
}

export interface PostgresDatabase extends Queries {
  readonly engine: 'postgres'
  /** A direct connection, outside the pool. */
  openClient(): PostgresClient
  /** A connection on which a statement may take an hour, for migrations. */
  openPatient(): Promise<Queries>
}

/** A ledger batch may wait 10 s for the write lock before it works. */
const PROGRAM_TIMEOUT_MS = 30_000
const PATIENCE_MS = 3_600_000

/** Opens, but does not migrate: call `migrate` before the first query. */
export async function openDatabase(target: DatabaseTarget): Promise<Database> {
  return 'sqliteFile' in target ? await openSqlite(target.sqliteFile) : openPostgres(target.url)
}

async function openSqlite(file: string): Promise<SqliteDatabase> {
  const queries = async (timeoutMs: number): Promise<Queries> => {
    const host = await startProgram({ file, program: new URL('./sqlite/statements.ts', import.meta.url), timeoutMs })
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
    ...(await queries(QUERY_TIMEOUT_MS)),
    openProgram: (program) => startProgram({ file, program, timeoutMs: PROGRAM_TIMEOUT_MS }),
    openPatient: () => queries(PATIENCE_MS),
  }
}

function openPostgres(url: string): PostgresDatabase {
  const queries = (timeoutMs: number): Queries => {
    const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: openPool(url, timeoutMs) }) })
    return { kysely, close: () => kysely.destroy() }
  }
  return {
    engine: 'postgres',
    ...queries(QUERY_TIMEOUT_MS),
    openClient: () => openPostgresClient(url),
    openPatient: async () => queries(PATIENCE_MS),
  }
}
