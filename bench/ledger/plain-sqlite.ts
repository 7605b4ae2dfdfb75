import type { SqliteDatabase } from '@sluice/store/database'
import type { PlainLedger, PlainRows } from './plain.ts'

const PROGRAM = new URL('./plain-sqlite-program.ts', import.meta.url)

/** In a database thread, like the ledger; SQLite has one writer, so the transactions run one after the other. */
export async function openPlainSqlite(database: SqliteDatabase, kept: PlainRows): Promise<PlainLedger> {
  const host = await database.openProgram(PROGRAM)
  return {
    hold: async (_slot, operation) => void (await host.call('hold', [operation])),
    settle: async (_slot, settlement) => void (await host.call('settle', [settlement, kept])),
    close: () => host.close(),
  }
}
