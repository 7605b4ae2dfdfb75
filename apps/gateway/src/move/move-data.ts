import { compareAfterPass, type ComparedTable, copyTables, differentIds } from '@sluice/store/copy/copy-tables'
import type { RowSource } from '@sluice/store/copy/read-rows'
import type { RowTarget } from '@sluice/store/copy/write-rows'
import type { Database } from '@sluice/store/database'
import { addTransferMonths, monthsWithTransfers } from '@sluice/store/postgres/transfer-months'
import { readDatabaseMove, type StartLock } from '@sluice/store/queries/moves/database-move'
import { openSnapshotReads } from '@sluice/store/snapshot-reads'
import { sql } from 'kysely'
import { claimTarget, type NamedDatabase } from './claim-target.ts'
import { compareSums } from './compare-sums.ts'
import type { ComparedSum, MoveReport, ProvedInvariant } from './move-report.ts'

/** The steps of a move, in order. Each table that was made equal is also a step, between `halted` and `copied`. */
export const MOVE_STEPS = [
  'claimed',
  'halted',
  'copied',
  'compared',
  'proved',
  'source marked',
  'target marked',
] as const

export type MoveStep = (typeof MOVE_STEPS)[number] | `table ${string}`

export interface Move {
  readonly source: NamedDatabase
  readonly target: NamedDatabase
  /** One connection of the target, for writing rows. */
  readonly rows: RowTarget
  /**
   * Keeps everyone from writing to the source until it is released, with every charge in its tables. If something is working on the
   * source, returns its name instead.
   */
  readonly haltSource: () => Promise<StartLock | { readonly worker: string }>
  /** The same for the target, where nothing has to be settled. */
  readonly haltTarget: () => Promise<StartLock | { readonly worker: string }>
  readonly prove: (target: Database) => Promise<readonly ProvedInvariant[]>
  /** Unix milliseconds. */
  readonly now: () => number
  readonly tell: (sentence: string) => void
  /** Rows of the table that were read so far. */
  readonly onRows: (table: string, rows: number) => void
  readonly onStep: (step: MoveStep) => Promise<void>
}

/**
 * Makes the target equal to the source. While a gateway is working on the source, it does no more and can be repeated. Otherwise
 * both are proved to be equal, and the data moves: first the source is marked, then the target, so that a gateway can never start
 * on both. The next run completes one that was interrupted at any point. Returns a sentence when nothing can be done.
 */
export async function moveData(move: Move): Promise<MoveReport | { readonly problem: string }> {
  const { source, target, tell } = move
  const problem = await claimTarget(source, target)
  if (problem !== undefined) return { problem }
  await move.onStep('claimed')
  await using halted = new AsyncDisposableStack()
  const haltedTarget = await move.haltTarget()
  if ('worker' in haltedTarget) return { problem: `${haltedTarget.worker} is using ${target.name}. Stop it first.` }
  halted.defer(() => haltedTarget.release())
  const found = await move.haltSource()
  const haltedSource = 'worker' in found ? undefined : found
  if (haltedSource === undefined) {
    tell(`${'worker' in found ? found.worker : ''} is using ${source.name}, which is copied in its current state.`)
  } else {
    halted.defer(() => haltedSource.release())
  }
  await move.onStep('halted')
  if (target.database.engine === 'postgres') await addMonths(source.database, target.database, move.now())

  const reads = await openSnapshotReads(source.database)
  halted.defer(() => reads.close())
  const report = await reads.read(async (db) => {
    // The snapshot sits idle while the target sorts or writes.
    if (reads.engine === 'postgres') await sql`set local idle_in_transaction_session_timeout = '1h'`.execute(db)
    return await copyAndCompare(move, { engine: reads.engine, db }, haltedSource !== undefined)
  })
  if ('problem' in report || report.outcome !== 'moved' || haltedSource === undefined) return report
  const [from, to] = [await readDatabaseMove(source.database.kysely), await readDatabaseMove(target.database.kysely)]
  if (to.from_id !== from.id) return { problem: `${target.name} has been claimed by another move in the meantime.` }
  await haltedSource.write({ to_id: to.id, to_name: target.name, left_ms: move.now() })
  await move.onStep('source marked')
  await haltedTarget.write({ arrived_ms: move.now() })
  await move.onStep('target marked')
  return report
}

async function addMonths(source: Database, target: Database, now: number): Promise<void> {
  await addTransferMonths(target.kysely, now)
  await addTransferMonths(target.kysely, now, await monthsWithTransfers(source.kysely, now))
}

async function copyAndCompare(
  move: Move,
  source: RowSource,
  isHalted: boolean,
): Promise<MoveReport | { readonly problem: string }> {
  const { rows: target, tell } = move
  const result = await copyTables(source, target, {
    onRows: move.onRows,
    onTable: (table) => move.onStep(`table ${table}`),
  })
  if (result.outcome === 'refused') {
    const { table, key, column, problem } = result.row
    const what = column === '' ? `The row ${key} of ${table}` : `${column} of the row ${key} of ${table}`
    return { problem: `${what} ${problem}. Change it, then run this again.` }
  }
  const report = {
    outcome: 'copied',
    source: move.source.name,
    target: move.target.name,
    written: result.tables.reduce((sum, { written }) => sum + written, 0),
    removed: result.tables.reduce((sum, { removed }) => sum + removed, 0),
    tables: [],
    sums: [],
    proof: [],
    problems: [],
  } as const
  await move.onStep('copied')
  if (!isHalted) return report
  if (target.engine === 'postgres') await sql`analyze`.execute(target.db)
  tell('The last pass is done; comparing the target.')
  const tables = await compareAfterPass(source, target, result.tables)
  const sums = await compareSums(source.db, target.db)
  const ids = await differentIds(source, target)
  await move.onStep('compared')
  tell('The ledger of the target has been verified.')
  const proof = await move.prove(move.target.database)
  await move.onStep('proved')
  const problems = problemsOf(tables, sums, ids, proof)
  return { ...report, outcome: problems.length === 0 ? 'moved' : 'unequal', tables, sums, proof, problems }
}

function problemsOf(
  tables: readonly ComparedTable[],
  sums: readonly ComparedSum[],
  ids: readonly string[],
  proof: readonly ProvedInvariant[],
): readonly string[] {
  return [
    ...tables
      .filter((each) => each.source.digest !== each.target.digest)
      .map(({ table, firstDifferent }) => `The table ${table} differs, first in the row ${firstDifferent ?? ''}.`),
    ...sums
      .filter((each) => each.source !== each.target)
      .map((each) => `"${each.name}" is ${each.source} in the source and ${each.target} in the target.`),
    ...ids.map((table) => `New rows of ${table} would get different ids than in the source.`),
    ...proof
      .filter(({ ok }) => !ok)
      .map(({ id, statement }) => `The ledger of the target violates ${id}: ${statement}.`),
  ]
}
