import { type InvariantResult, type Row, verifyLedger } from '@sluice/ledger/verify'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { openMigrated } from '../main.ts'
import { inOneMoment } from './one-moment.ts'

/** Proves the books while the gateway may go on; 0 when every invariant holds, else 1. */
export async function verify(config: Config): Promise<number> {
  const database = await openMigrated(config)
  try {
    let isSound = true
    await inOneMoment(database, async (db) => {
      const read = async (text: string) => (await sql.raw<Row>(text).execute(db)).rows
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

function report({ id, statement, checked, firstWrong, note }: InvariantResult): void {
  const verdict = firstWrong === undefined ? 'ok   ' : 'WRONG'
  console.log(`${verdict} ${id.padEnd(4)} ${statement} (${note ?? `${checked} rows`})`)
  if (firstWrong === undefined) return
  for (const [name, value] of Object.entries(firstWrong)) console.log(`           ${name} = ${String(value)}`)
}
