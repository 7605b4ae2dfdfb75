import type { Database } from '@sluice/store/database'
import { openSnapshotReads } from '@sluice/store/snapshot-reads'
import { optionsOf, proveLedger } from '../jobs/prove-ledger.ts'
import type { ProvedInvariant } from '../move/move-report.ts'

export async function proveAll(database: Database): Promise<readonly ProvedInvariant[]> {
  const reads = await openSnapshotReads(database)
  try {
    const proved: ProvedInvariant[] = []
    const options = await optionsOf(database.kysely, 'full', Date.now())
    for await (const { id, statement, firstWrong } of proveLedger(reads, options, Date.now)) {
      proved.push({ id, statement, ok: firstWrong === undefined })
    }
    return proved
  } finally {
    await reads.close()
  }
}
