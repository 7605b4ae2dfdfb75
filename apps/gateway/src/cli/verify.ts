import type { LedgerCheckMode } from '@sluice/store/queries/ledger-checks'
import type { Config } from '../config.ts'
import { openExisting } from '../configured.ts'
import { optionsOf, proveBooks, type TimedResult } from '../jobs/prove-books.ts'
import { openMoments } from '../moments.ts'

/** Proves the books while the gateway may go on, and writes nothing; 0 when every invariant holds, else 1. */
export async function verify(config: Config, mode: LedgerCheckMode): Promise<number> {
  const database = await openExisting(config)
  try {
    const moments = await openMoments(database)
    const options = await optionsOf(database.kysely, mode, Date.now())
    console.log(begins(options.scope.from))
    let isSound = true
    for await (const result of proveBooks(moments, options, Date.now)) {
      report(result)
      isSound &&= result.firstWrong === undefined
    }
    await moments.close()
    console.log(
      isSound ? '\nThe books are sound.' : '\nThe books are wrong; see the first wrong row of each failure above.',
    )
    return isSound ? 0 : 1
  } finally {
    await database.close()
  }
}

function begins(from: string): string {
  if (from === '') return 'Every row is counted.\n'
  const since = new Date(Number.parseInt(from, 16)).toISOString()
  return `Rows since ${since} are counted upon the sums of the last verification; --full counts every row.\n`
}

function report({ id, statement, checked, elapsedMs, firstWrong, recounted }: TimedResult): void {
  const verdict = firstWrong === undefined ? 'ok   ' : 'WRONG'
  const how = recounted === true ? ', counted in full' : ''
  console.log(`${verdict} ${id.padEnd(4)} ${statement} (${checked} rows, ${elapsedMs} ms${how})`)
  if (firstWrong === undefined) return
  for (const [name, value] of Object.entries(firstWrong)) console.log(`           ${name} = ${String(value)}`)
}
