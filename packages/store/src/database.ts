import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import type { PostgresClient } from './postgres/client.ts'
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

/** Queries of somebody who must not wait behind the shared connection, nor hold it up. */
export interface OwnQueries extends Queries {
  /**
   * Ends at once: queries on their way reject, and the server stops working on them. A thread cannot be interrupted: it ends
   * when its running statement does, and nobody waits for that.
   */
  abandon(): Promise<void>
}

export interface SqliteDatabase extends Queries {
  readonly engine: 'sqlite'
  readonly file: string
  /**
   * Another thread with its own connection, for who must not wait behind the shared one. Close it yourself; it costs about
   * 20 MB and 50 ms.
   */
  openQueries(timeoutMs: number): Promise<OwnQueries>
  /** Starts a thread with its own connection that runs the module at `program` (see `sqlite/program.ts`). */
  openProgram(program: URL): Promise<ProgramHost>
}

export interface PostgresDatabase extends Queries {
  readonly engine: 'postgres'
  /** Another pool, for who must not wait behind the shared one. Close it yourself. */
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
  // Whoever has a SQLite file needs no driver of PostgreSQL in memory.
  const [{ openPool }, { openPostgresClient }] = await Promise.all([
    import('./postgres/pool.ts'),
    import('./postgres/client.ts'),
  ])
  const openQueries = (timeoutMs: number) => {
    const pool = openPool(url, timeoutMs)
    const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
    return { pool, kysely, close: () => kysely.destroy() }
  }
  const shared = openQueries(QUERY_TIMEOUT_MS)
  return {
    engine: 'postgres',
    kysely: shared.kysely,
    close: shared.close,
    openQueries: async (timeoutMs) => {
      const { pool, kysely, close } = openQueries(timeoutMs)
      const backends = backendsOf(pool)
      const abandon = async (): Promise<void> => {
        for (const backend of backends) await sql`select pg_cancel_backend(${backend})`.execute(shared.kysely)
        await close()
      }
      return { kysely, close, abandon }
    },
    openClient: () => openPostgresClient(url, QUERY_TIMEOUT_MS),
  }
}

/** Process ids on the server of the pool's open connections. */
function backendsOf(pool: Pool): ReadonlySet<number> {
  const backends = new Set<number>()
  const idOf = (client: PoolClient): number | undefined =>
    'processID' in client && typeof client.processID === 'number' ? client.processID : undefined
  pool.on('connect', (client) => {
    const id = idOf(client)
    if (id !== undefined) backends.add(id)
  })
  pool.on('remove', (client) => {
    const id = idOf(client)
    if (id !== undefined) backends.delete(id)
  })
  return backends
}
