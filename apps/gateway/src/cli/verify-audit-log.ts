import { adoptAuditCalls } from '@sluice/store/queries/audit'
import { verifyAudit } from '@sluice/store/verify-audit'
import type { Config } from '../config.ts'
import { openExisting, openGivenVault } from '../configured.ts'
import { openMoments } from '../moments.ts'

/** Proves the audit log while the gateway may go on; 0 when it is whole, else 1. */
export async function verifyAuditLog(config: Config): Promise<number> {
  const vault = await openGivenVault(config)
  const database = await openExisting(config)
  try {
    const moments = await openMoments(database)
    const { rows, open, problem } = await moments.read((db) => verifyAudit(db, vault))
    await moments.close()
    const isWhole = problem === undefined
    console.log(`${isWhole ? 'ok   ' : 'WRONG'} ${rows} entries follow from each other`)
    if (problem !== undefined) console.log(`      the first wrong one: ${problem}`)
    if (open > 0) console.log(`      ${open} calls have begun and not ended; those of dead processes become entries`)
    if (isWhole) await adoptAuditCalls(database.kysely, vault, Date.now())
    console.log(
      isWhole ? '\nThe audit log is whole.' : '\nThe audit log was tampered with, or its master key is missing.',
    )
    return isWhole ? 0 : 1
  } finally {
    await database.close()
  }
}
