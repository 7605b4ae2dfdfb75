import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'

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
