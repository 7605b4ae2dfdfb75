import type { Database } from '@sluice/store/database'
import type { LedgerCheckMode } from '@sluice/store/queries/ledger/ledger-checks'
import { openSnapshotReads } from '@sluice/store/snapshot-reads'
import { openExisting } from '../environment/configured.ts'
import type { Config } from '../environment/environment.ts'
import { optionsOf, proveLedger, type TimedResult } from '../jobs/prove-ledger.ts'

/** Proves the ledger, even while the gateway is running, and writes nothing; returns 0 when every invariant holds, otherwise 1. */
export async function verify(config: Config, mode: LedgerCheckMode): Promise<number> {
  await using opened = new AsyncDisposableStack()
  const database = await openExisting(config)
  opened.defer(() => database.close())
  return (await isLedgerSound(database, mode)) ? 0 : 1
}

export async function isLedgerSound(database: Database, mode: LedgerCheckMode): Promise<boolean> {
  const snapshotReads = await openSnapshotReads(database)
  const options = await optionsOf(database.kysely, mode, Date.now())
  console.log(begins(options.scope.from))
  let isSound = true
  for await (const result of proveLedger(snapshotReads, options, Date.now)) {
    report(result)
    isSound &&= result.firstWrong === undefined
  }
  await snapshotReads.close()
  console.log(
    isSound ? '\nThe ledger is correct.' : '\nThe ledger is wrong; see the first wrong row of each failure above.',
  )
  return isSound
}

function begins(from: string): string {
  if (from === '') return 'Every row is counted.\n'
  const since = new Date(Number.parseInt(from, 16)).toISOString()
  return `Rows since ${since} are added to the sums of the last verification; --full counts every row.\n`
}

function report({ id, statement, checked, elapsedMs, firstWrong, recounted }: TimedResult): void {
  const result = firstWrong === undefined ? 'ok   ' : 'WRONG'
  const how = recounted === true ? ', counted in full' : ''
  console.log(`${result} ${id.padEnd(4)} ${statement} (${checked} rows, ${elapsedMs} ms${how})`)
  if (firstWrong === undefined) return
  for (const [name, value] of Object.entries(firstWrong)) console.log(`           ${name} = ${String(value)}`)
}
