import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Pool } from 'pg'
import type { PostgresClient } from './postgres/client.ts'
import type { Schema } from './schema/schema.ts'
import { SqliteThreadDialect } from './sqlite/dialect.ts'
import { type ProgramHost, startProgram } from './sqlite/host.ts'

/** Where the data is: a SQLite file, or a PostgreSQL server (`postgres://user:password@host:5432/name`). */
export type DatabaseTarget = { readonly sqliteFile: string } | { readonly url: string }

/**
 * An open database. Everything shares `kysely`, which cancels a query after 15 s (class S7: search as denial of service), except
 * the ledger, which has its own connection: a program in a thread on SQLite, a direct client on PostgreSQL.
 *
 * Integers: columns declared `int8` (money) are bigint, all others number. Aggregates have no declared type and differ between the
 * engines: read them through `asNumber` or `asBigInt` of `aggregates.ts`.
 */
export type Database = SqliteDatabase | PostgresDatabase

/** Queries through Kysely with their own time limit. */
export interface Queries {
  readonly kysely: Kysely<Schema>
  /** Waits for the queries in flight, then ends the connection or pool. */
  close(): Promise<void>
}

/** Queries for a caller that must neither wait for the shared connection nor hold it up. */
export interface OwnQueries extends Queries {
  /**
   * Ends at once: queries in flight reject, and the server stops working on them. A thread cannot be interrupted: it ends with its
   * running statement, and nothing waits for it.
   */
  abandon(): Promise<void>
}

export interface SqliteDatabase extends Queries {
  readonly engine: 'sqlite'
  readonly file: string
  /**
   * A thread with its own connection, so callers need not wait for the shared one. Close it yourself. Costs about 20 MB and 50 ms.
   */
  openQueries(timeoutMs: number): Promise<OwnQueries>
  /** Starts a thread with its own connection that runs the module at `program` (see `sqlite/program.ts`). */
  openProgram(program: URL): Promise<ProgramHost>
}

export interface PostgresDatabase extends Queries {
  readonly engine: 'postgres'
  /** Another pool, for callers that must not wait for the shared one. Close it yourself. */
  openQueries(timeoutMs: number): Promise<OwnQueries>
  /** A direct connection, outside any pool. Close it yourself. */
  openClient(): PostgresClient
}

const QUERY_TIMEOUT_MS = 15_000
/** A ledger batch may wait 10 s for the write lock before it works. */
const PROGRAM_TIMEOUT_MS = 30_000

/** Opens, but does not migrate: call `migrate` before the first query. */
export async function openDatabase(target: DatabaseTarget): Promise<Database> {
  return 'sqliteFile' in target ? await openSqlite(target.sqliteFile) : await openPostgres(target.url)
}

async function openSqlite(file: string): Promise<SqliteDatabase> {
  const openQueries = async (timeoutMs: number): Promise<OwnQueries> => {
    const program = new URL('./sqlite/statements.ts', import.meta.url)
    const host = await startProgram({ file, program, timeoutMs })
    const kysely = new Kysely<Schema>({ dialect: new SqliteThreadDialect(host) })
    const close = async (): Promise<void> => {
      await kysely.destroy()
      await host.close()
    }
    return { kysely, close, abandon: async () => host.abandon() }
  }
  return {
    engine: 'sqlite',
    file,
    ...(await openQueries(QUERY_TIMEOUT_MS)),
    openQueries,
    openProgram: (program) => startProgram({ file, program, timeoutMs: PROGRAM_TIMEOUT_MS }),
  }
}

async function openPostgres(url: string): Promise<PostgresDatabase> {
  // A process with a SQLite file needs no PostgreSQL driver in memory.
  const [{ openPool }, { openAbandonablePool }, { openPostgresClient }] = await Promise.all([
    import('./postgres/pool.ts'),
    import('./postgres/abandonable-pool.ts'),
    import('./postgres/client.ts'),
  ])
  const queriesOf = (pool: Pool): Queries => {
    const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
    return { kysely, close: () => kysely.destroy() }
  }
  const shared = queriesOf(openPool(url, QUERY_TIMEOUT_MS))
  return {
    engine: 'postgres',
    ...shared,
    openQueries: async (timeoutMs) => {
      const own = openAbandonablePool(url, timeoutMs)
      const queries = queriesOf(own.pool)
      const abandon = async (): Promise<void> => {
        const backends = own.cut()
        await Promise.all([queries.close(), endBackends(shared.kysely, backends)])
      }
      return { ...queries, abandon }
    },
    openClient: () => openPostgresClient(url, QUERY_TIMEOUT_MS),
  }
}

/** Ends only backends that the server knows to be ours, because a pooler in between invents process ids. */
async function endBackends(db: Kysely<Schema>, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where pid = any(${ids}) and usename = current_user and application_name = 'sluice'`.execute(db)
}
