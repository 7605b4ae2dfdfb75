import { type InvariantResult, type ReadRows, type Row, verifyLedger } from '@sluice/ledger/verify'
import type { Database } from '@sluice/store/database'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { openMigrated } from '../main.ts'

/** Reading the whole ledger takes as long as it takes. */
const TIMEOUT_MS = 3_600_000

/** Proves the books while the gateway may go on; 0 when every invariant holds, else 1. */
export async function verify(config: Config): Promise<number> {
  const database = await openMigrated(config)
  try {
    let isSound = true
    await inOneMoment(database, async (read) => {
      for await (const result of verifyLedger(read, Date.now())) {
        report(result)
        isSound &&= result.firstWrong === undefined
      }
    })
    console.log(
      isSound ? '\nThe books are sound.' : '\nThe books are wrong; see the first wrong row of each failure above.',
    )
    return isSound ? 0 : 1
  } finally {
    await database.close()
  }
}

/** All statements see the books of one moment, without holding up writers. */
async function inOneMoment(database: Database, work: (read: ReadRows) => Promise<void>): Promise<void> {
  const queries = await database.openQueries(TIMEOUT_MS)
  try {
    await queries.kysely.connection().execute(async (db) => {
      const begin = database.engine === 'sqlite' ? 'begin' : 'begin isolation level repeatable read read only'
      await sql.raw(begin).execute(db)
      await work(async (text) => (await sql.raw<Row>(text).execute(db)).rows)
      await sql`commit`.execute(db)
    })
  } finally {
    await queries.close()
  }
}

function report({ id, statement, checked, firstWrong, note }: InvariantResult): void {
  const verdict = firstWrong === undefined ? 'ok   ' : 'WRONG'
  console.log(`${verdict} ${id.padEnd(4)} ${statement} (${note ?? `${checked} rows`})`)
  if (firstWrong === undefined) return
  for (const [name, value] of Object.entries(firstWrong)) console.log(`           ${name} = ${String(value)}`)
}
