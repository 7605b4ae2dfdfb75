import type { Database } from '@sluice/store/database'
import type { Schema } from '@sluice/store/schema'
import { type Kysely, sql } from 'kysely'

/** Reading everything takes as long as it takes. */
const TIMEOUT_MS = 3_600_000

/**
 * A connection of its own for who reads very much: writers and other readers never wait for it. Keep a moment as short as its
 * question allows: as long as it lasts the database keeps what it would otherwise tidy away.
 */
export interface Moments {
  readonly engine: Database['engine']
  /** All statements of `work` see the data of one moment. */
  read<T>(work: (db: Kysely<Schema>) => Promise<T>): Promise<T>
  close(): Promise<void>
  /** Ends at once; reads on their way reject. */
  abandon(): Promise<void>
}

export async function openMoments(database: Database): Promise<Moments> {
  const begin = database.engine === 'sqlite' ? 'begin' : 'begin isolation level repeatable read read only'
  const queries = await database.openQueries(TIMEOUT_MS)
  // Sorting millions of rows would otherwise take as much memory as they are large.
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
          // The connection may be gone, and its transaction with it.
          await sql`rollback`.execute(db).catch(() => {})
          throw error
        }
      }),
    close: () => queries.close(),
    abandon: () => queries.abandon(),
  }
}
