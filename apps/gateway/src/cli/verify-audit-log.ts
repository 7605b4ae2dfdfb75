import { adoptAuditCalls } from '@sluice/store/queries/audit/audit'
import { verifyAudit } from '@sluice/store/verify-audit'
import type { Config } from '../config.ts'
import { openExisting, openGivenVault } from '../configured.ts'
import { openSnapshotReads } from '../snapshot-reads.ts'

/** Verifies the audit log, even while the gateway is running; returns 0 when it is intact, otherwise 1. */
export async function verifyAuditLog(config: Config): Promise<number> {
  const vault = await openGivenVault(config)
  await using opened = new AsyncDisposableStack()
  const database = await openExisting(config)
  opened.defer(() => database.close())
  const snapshotReads = await openSnapshotReads(database)
  const { rows, open, problem } = await snapshotReads.read((db) => verifyAudit(db, vault))
  await snapshotReads.close()
  const isWhole = problem === undefined
  console.log(`${isWhole ? 'ok   ' : 'WRONG'} ${rows} entries form an unbroken chain`)
  if (problem !== undefined) console.log(`      the first wrong one: ${problem}`)
  if (open > 0) console.log(`      ${open} calls have begun and not ended; those of dead processes become entries`)
  if (isWhole) await adoptAuditCalls(database.kysely, vault, Date.now())
  console.log(
    isWhole ? '\nThe audit log is whole.' : '\nThe audit log was tampered with, or its master key is missing.',
  )
  return isWhole ? 0 : 1
}
