import type { LedgerEngine } from '@sluice/ledger/engine'
import { openPostgresEngine } from '@sluice/ledger/engines/postgres'
import { openSqliteEngine, SQLITE_LEDGER_PROGRAM } from '@sluice/ledger/engines/sqlite-remote'
import { type InvariantResult, type ReadRows, verifyLedger } from '@sluice/ledger/proof/verify'
import type { Database } from '@sluice/store/database'
import { sql } from 'kysely'

/** The ledger's engine on a database, as the gateway opens it; the caller must close it. */
export async function openTestLedgerEngine(database: Database): Promise<LedgerEngine> {
  return database.engine === 'sqlite'
    ? openSqliteEngine(await database.openProgram(SQLITE_LEDGER_PROGRAM))
    : openPostgresEngine(database.openClient())
}

export function readRowsOf(database: Database): ReadRows {
  return async (text) => (await sql.raw<Record<string, unknown>>(text).execute(database.kysely)).rows
}

/** Every test that moves money ends with `expect(await brokenInvariants(…)).toEqual([])`. */
export async function brokenInvariants(read: ReadRows, now = Date.now()): Promise<InvariantResult[]> {
  const broken: InvariantResult[] = []
  for await (const result of verifyLedger(read, now)) {
    if (result.firstWrong !== undefined) broken.push(result)
  }
  return broken
}
