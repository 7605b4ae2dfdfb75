import { closeSync, openSync } from 'node:fs'
import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * Writes a consistent copy of the database while others write to it: one read transaction, compacted, readable by its owner only.
 * Throws `EEXIST` when a file with that name exists. After a power failure the copy may be incomplete: flush it before it replaces
 * another file.
 */
export async function copyDatabase(db: QueryExecutorProvider, copy: string): Promise<void> {
  // SQLite would create it with default permissions; it also accepts an empty file.
  closeSync(openSync(copy, 'wx', 0o600))
  await sql`vacuum into ${copy}`.execute(db)
}
