import type { LedgerEngine } from '@sluice/ledger/engine'
import type { ReadRows } from '@sluice/ledger/proof/verify'
import { mqFromQuota } from '@sluice/ledger/units'
import { testMove, type TestPayer } from './ledger-operations.ts'
import { outcomeName } from './outcome-name.ts'

/** A ledger with the table of imported amounts. `write` runs SQL. */
export interface ImportingLedger {
  readonly engine: LedgerEngine
  readonly read: ReadRows
  readonly write: (text: string) => Promise<void>
}

export interface BroughtBalance {
  readonly quota: number
  /** False: the importer dies after its transfer, and the next one discovers that. */
  readonly isNoted: boolean
  readonly replica: string
  /** Unix milliseconds. */
  readonly at: number
}

/** Changes a balance as an import does: writes the intent, makes the transfer, notes it. Returns the transfer's outcome. */
export async function bringBalance(
  { engine, read, write }: ImportingLedger,
  { userId, account }: TestPayer,
  { quota, isNoted, replica, at }: BroughtBalance,
): Promise<string> {
  const isUser = `source = 'elsewhere' and kind = 'user' and source_id = ${userId}`
  const transfer = async (): Promise<string> => {
    const [row] = await read(`select step, pending from imported where ${isUser}`)
    const [step, amount] = [Number(row?.['step']), row?.['pending']]
    if (typeof amount !== 'bigint') throw new Error('nothing was intended')
    const requestId = `import-elsewhere-user-${userId}-${step}`
    const move = testMove({ requestId, kind: 'import', account, amount: mqFromQuota(Number(amount) / 1_000), at })
    const { outcomes } = await engine.apply([move], replica)
    return outcomes.map(outcomeName).join()
  }
  const note = `update imported set brought = brought + pending, pending = null where ${isUser}`
  const [before] = await read(`select pending from imported where ${isUser}`)
  if (before === undefined) {
    await write(`insert into imported (source, kind, source_id, target_id, mark, digest)
      values ('elsewhere', 'user', ${userId}, ${userId}, '', '')`)
  } else if (before['pending'] !== null) {
    await transfer()
    await write(note)
  }
  if (quota === 0) return 'stale'
  await write(`update imported set step = step + 1, pending = ${mqFromQuota(quota)} where ${isUser}`)
  const outcome = await transfer()
  const isRefused = outcome === 'out_of_range'
  if (isNoted) await write(isRefused ? `update imported set pending = null where ${isUser}` : note)
  return outcome
}
