import { type Kysely, sql } from 'kysely'
import type { Database } from './database.ts'
import type { Schema } from './schema/schema.ts'

/** Generous, because reading everything takes a long time. */
const TIMEOUT_MS = 3_600_000

/**
 * A separate connection for large reads: writers and other readers never wait for it. Keep each snapshot short: while it is open,
 * the database cannot clean up old rows.
 */
export interface SnapshotReads {
  readonly engine: Database['engine']
  /** All statements of `work` see the same snapshot of the data. */
  read<T>(work: (db: Kysely<Schema>) => Promise<T>): Promise<T>
  close(): Promise<void>
  /** Ends at once; reads in progress reject. */
  abandon(): Promise<void>
}

export async function openSnapshotReads(database: Database): Promise<SnapshotReads> {
  const begin = database.engine === 'sqlite' ? 'begin' : 'begin isolation level repeatable read read only'
  const queries = await database.openQueries(TIMEOUT_MS)
  // Otherwise sorting millions of rows would take as much memory as the rows themselves.
  if (database.engine === 'sqlite') await sql`pragma temp_store = file`.execute(queries.kysely)
  return {
    engine: database.engine,
    read: (work) =>
      queries.kysely.connection().execute(async (db) => {
        await sql.raw(begin).execute(db)
        try {
          const result = await work(db)
          await sql`commit`.execute(db)
          return result
        } catch (error) {
          // The connection might be gone, and its transaction with it.
          await sql`rollback`.execute(db).catch(() => {})
          throw error
        }
      }),
    close: () => queries.close(),
    abandon: () => queries.abandon(),
  }
}
