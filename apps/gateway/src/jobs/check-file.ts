import type { InvariantResult } from '@sluice/ledger/verify'
import { SqliteError } from '@sluice/store/sqlite/host'
import { sql } from 'kysely'
import type { Moments } from '../moments.ts'

/** SQLite's primary result codes for a file that contradicts itself: corrupt, no database. */
const DAMAGED: ReadonlySet<number> = new Set([11, 26])
const PRIMARY = 0xff

/**
 * Lets SQLite look through every page of its file, a table with its indexes at a time: so a proof that is stopped waits for one table
 * only. A damaged page may hold none of what the books are proved by.
 */
export async function checkFile(moments: Moments): Promise<InvariantResult> {
  const result = { id: 'F1', statement: 'the database file is not damaged', checked: 0 }
  try {
    for (const table of await tablesOf(moments)) {
      const { rows } = await moments.read((db) =>
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

async function tablesOf(moments: Moments): Promise<readonly string[]> {
  const { rows } = await moments.read((db) =>
    sql<{ name: string }>`select name from sqlite_schema where type = 'table' order by name`.execute(db),
  )
  return rows.map(({ name }) => name)
}

function isDamage(error: unknown): error is SqliteError {
  return error instanceof SqliteError && error.errcode !== undefined && DAMAGED.has(error.errcode & PRIMARY)
}
