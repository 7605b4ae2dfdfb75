import type { InvariantResult } from '@sluice/ledger/proof/verify'
import type { SnapshotReads } from '@sluice/store/snapshot-reads'
import { SqliteError } from '@sluice/store/sqlite/host'
import { sql } from 'kysely'

/** SQLite's primary result codes for a file that contradicts itself: corrupt, not a database. */
const DAMAGED: ReadonlySet<number> = new Set([11, 26])
const PRIMARY = 0xff

/**
 * Makes SQLite check every page of its file, one table at a time, so that a stop waits for only one table. A damaged page might
 * contain nothing that the ledger's proof reads.
 */
export async function checkFile(snapshotReads: SnapshotReads): Promise<InvariantResult> {
  const result = { id: 'F1', statement: 'the database file is not damaged', checked: 0 }
  try {
    for (const table of await tablesOf(snapshotReads)) {
      const { rows } = await snapshotReads.read((db) =>
        sql<{ quick_check: string }>`pragma quick_check(${sql.lit(table)})`.execute(db),
      )
      const finding = rows[0]?.quick_check ?? 'the check returned nothing'
      if (finding !== 'ok') return { ...result, firstWrong: { table, finding } }
      result.checked += 1
    }
    return result
  } catch (error) {
    if (!isDamage(error)) throw error
    return { ...result, firstWrong: { finding: error.message } }
  }
}

async function tablesOf(snapshotReads: SnapshotReads): Promise<readonly string[]> {
  const { rows } = await snapshotReads.read((db) =>
    sql<{ name: string }>`select name from sqlite_schema where type = 'table' order by name`.execute(db),
  )
  return rows.map(({ name }) => name)
}

function isDamage(error: unknown): error is SqliteError {
  return error instanceof SqliteError && error.errcode !== undefined && DAMAGED.has(error.errcode & PRIMARY)
}
