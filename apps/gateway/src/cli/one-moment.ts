import type { Database } from '@sluice/store/database'
import type { Schema } from '@sluice/store/schema'
import { type Kysely, sql } from 'kysely'

/** Reading everything takes as long as it takes. */
const TIMEOUT_MS = 3_600_000

/** All statements see the data of one moment, without holding up writers. */
export async function inOneMoment(database: Database, work: (db: Kysely<Schema>) => Promise<void>): Promise<void> {
  const queries = await database.openQueries(TIMEOUT_MS)
  try {
    await queries.kysely.connection().execute(async (db) => {
      const begin = database.engine === 'sqlite' ? 'begin' : 'begin isolation level repeatable read read only'
      await sql.raw(begin).execute(db)
      await work(db)
      await sql`commit`.execute(db)
    })
  } finally {
    await queries.close()
  }
}
