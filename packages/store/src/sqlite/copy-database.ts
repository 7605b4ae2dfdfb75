import { closeSync, openSync } from 'node:fs'
import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * Writes a consistent copy of the database beside its writers: one read transaction, compacted, readable by its owner only.
 * Throws `EEXIST` when there is a file of that name. After a power failure the copy may be incomplete: flush it before it
 * takes the place of another.
 */
export async function copyDatabase(db: QueryExecutorProvider, copy: string): Promise<void> {
  // SQLite would create it with the permissions of every other file, and takes an empty one as well
  closeSync(openSync(copy, 'wx', 0o600))
  await sql`vacuum into ${copy}`.execute(db)
}
