import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'

/**
 * Replicas' clocks differ by less than an hour. A time further ahead of the database's clock was written by a clock that was itself
 * ahead, and is ignored; otherwise it would block something until that day.
 */
export const CLOCKS_DIFFER_MS = 3_600_000

/** Codes, links, ceremonies and unfinished sign-ins live for minutes; one that seems to live longer than this has expired. */
export const LONGEST_PROOF_MS = 2 * CLOCKS_DIFFER_MS

/** The database's clock inside a statement, in unix milliseconds. */
export function databaseTime(engine: Database['engine']): RawBuilder<number> {
  return engine === 'postgres'
    ? sql<number>`floor(extract(epoch from clock_timestamp()) * 1000)::double precision`
    : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
}

/** The database's clock, in unix milliseconds. */
export async function readDatabaseTime({ kysely, engine }: Pick<Database, 'kysely' | 'engine'>): Promise<number> {
  const { now } = await kysely.selectNoFrom(databaseTime(engine).as('now')).executeTakeFirstOrThrow()
  return now
}
