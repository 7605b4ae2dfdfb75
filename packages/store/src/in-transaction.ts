import type { Kysely, Transaction } from 'kysely'
import type { Schema } from './schema/schema.ts'

/** Runs statements in a transaction: in the caller's if it has one, so that they are committed together with its other changes. */
export async function inTransaction<Result>(
  db: Kysely<Schema>,
  run: (trx: Transaction<Schema>) => Promise<Result>,
): Promise<Result> {
  return db.isTransaction ? await run(db as Transaction<Schema>) : await db.transaction().execute(run)
}
