import { INVARIANTS } from '@sluice/ledger/invariants'
import { idAt, type Scope, WHOLE } from '@sluice/ledger/invariants/scope'
import {
  type InvariantResult,
  proveInvariant,
  type ReadRows,
  type Row,
  type VerifyOptions,
} from '@sluice/ledger/verify'
import { latestCheckpoint, type LedgerCheckMode } from '@sluice/store/queries/ledger-checks'
import type { Schema } from '@sluice/store/schema'
import { type Kysely, sql } from 'kysely'
import type { Moments } from '../moments.ts'
import { checkFile } from './check-file.ts'

export interface TimedResult extends InvariantResult {
  readonly elapsedMs: number
}

/**
 * Looks through a SQLite file, then proves one invariant after the other, each as of one moment: so no moment is longer than the slowest invariant, and whoever
 * reads the results may stop in between. `now` answers unix milliseconds.
 */
export async function* proveBooks(
  moments: Moments,
  options: VerifyOptions,
  now: () => number,
): AsyncGenerator<TimedResult> {
  if (moments.engine === 'sqlite') yield await timed(() => checkFile(moments))
  for (const invariant of INVARIANTS) {
    yield await timed(() => moments.read((db) => proveInvariant(invariant, rowReader(db), now(), options)))
  }
}

async function timed(prove: () => Promise<InvariantResult>): Promise<TimedResult> {
  const begun = performance.now()
  const result = await prove()
  return { ...result, elapsedMs: Math.round(performance.now() - begun) }
}

/** What a mode looks at: `full` everything, the others what is new since the latest checkpoint. `now` is unix milliseconds. */
export async function optionsOf(
  db: Kysely<Schema>,
  mode: LedgerCheckMode,
  now: number,
): Promise<Required<VerifyOptions>> {
  return { scope: mode === 'full' ? WHOLE : await storedScope(db, now), reprice: mode === 'reprice' }
}

/** A bound that is still to come was chosen by a wrong clock: rows below it are yet to be written. */
async function storedScope(db: Kysely<Schema>, now: number): Promise<Scope> {
  const stored = await latestCheckpoint(db)
  return stored === undefined || stored.bound > idAt(now) ? WHOLE : { from: stored.bound, checkpoint: stored.check }
}

export function rowReader(db: Kysely<Schema>): ReadRows {
  return async (text) => (await sql.raw<Row>(text).execute(db)).rows
}
