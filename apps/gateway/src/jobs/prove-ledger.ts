import { INVARIANTS } from '@sluice/ledger/proof/invariants'
import { idAt, type Scope, WHOLE } from '@sluice/ledger/proof/invariants/scope'
import {
  type InvariantResult,
  proveInvariant,
  type ReadRows,
  type Row,
  type VerifyOptions,
} from '@sluice/ledger/proof/verify'
import { latestCheckpoint, type LedgerCheckMode } from '@sluice/store/queries/ledger/ledger-checks'
import type { Schema } from '@sluice/store/schema/schema'
import type { SnapshotReads } from '@sluice/store/snapshot-reads'
import { type Kysely, sql } from 'kysely'
import { checkFile } from './check-file.ts'

export interface TimedResult extends InvariantResult {
  readonly elapsedMs: number
}

/**
 * Checks a SQLite file, then proves each invariant in a separate snapshot, so that none stays open for long and the reader of the
 * results can stop in between. `now` returns unix milliseconds.
 */
export async function* proveLedger(
  snapshotReads: SnapshotReads,
  options: VerifyOptions,
  now: () => number,
): AsyncGenerator<TimedResult> {
  if (snapshotReads.engine === 'sqlite') yield await timed(() => checkFile(snapshotReads))
  for (const invariant of INVARIANTS) {
    yield await timed(() => snapshotReads.read((db) => proveInvariant(invariant, createRowReader(db), now(), options)))
  }
}

async function timed(prove: () => Promise<InvariantResult>): Promise<TimedResult> {
  const begun = performance.now()
  const result = await prove()
  return { ...result, elapsedMs: Math.round(performance.now() - begun) }
}

/** The scope of a mode: `full` for everything, the others from the latest checkpoint. `now` is unix milliseconds. */
export async function optionsOf(
  db: Kysely<Schema>,
  mode: LedgerCheckMode,
  now: number,
): Promise<Required<VerifyOptions>> {
  return { scope: mode === 'full' ? WHOLE : await storedScope(db, now), reprice: mode === 'reprice' }
}

/** A bound in the future was chosen by a wrong clock: rows below it may still be written. */
async function storedScope(db: Kysely<Schema>, now: number): Promise<Scope> {
  const stored = await latestCheckpoint(db)
  return stored === undefined || stored.bound > idAt(now) ? WHOLE : { from: stored.bound, checkpoint: stored.check }
}

export function createRowReader(db: Kysely<Schema>): ReadRows {
  return async (text) => (await sql.raw<Row>(text).execute(db)).rows
}
