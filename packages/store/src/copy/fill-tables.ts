import { sql } from 'kysely'
import { shapesOf, WRITTEN_BY_MIGRATIONS } from './copy-tables.ts'
import { lastId, setLastId } from './next-ids.ts'
import { readAhead, readRows, type RowSource } from './read-rows.ts'
import { putRows, type RefusedRow, type RowTarget } from './write-rows.ts'

/**
 * Adds every row of the source's copied tables to a target that is as the migrations leave it, and reads each once. Memory does not
 * grow with the tables. The source has to stand still. Both databases are at the newest step. Returns the first row that the target
 * cannot hold; the target is of no use then, and neither is it when this rejects.
 */
export async function fillTables(source: RowSource, target: RowTarget): Promise<RefusedRow | undefined> {
  await sql`delete from ${sql.table(WRITTEN_BY_MIGRATIONS)}`.execute(target.db)
  for (const { ours, theirs } of await shapesOf(source, target)) {
    for await (const rows of readAhead(readRows(source, ours))) {
      const refused = await putRows(target, theirs, rows)
      if (refused !== undefined) return refused
    }
    // Read after the rows: ids are given outside transactions, so it may be ahead of them and never behind.
    if (ours.isNumbered) await setLastId(target, theirs, await lastId(source, ours))
  }
  return undefined
}
