import { chooseBound, sumAccounts } from '@sluice/ledger/proof/checkpoint'
import { type Scope, WHOLE } from '@sluice/ledger/proof/invariants/scope'
import type { Database } from '@sluice/store/database'
import {
  endLedgerCheck,
  insertCheckpoint,
  insertCheckResult,
  insertLedgerCheck,
  type LedgerCheckEnd,
  type LedgerCheckMode,
} from '@sluice/store/queries/ledger/ledger-checks'
import { type SnapshotReads, openSnapshotReads } from '@sluice/store/snapshot-reads'
import { optionsOf, proveLedger, createRowReader, type TimedResult } from './prove-ledger.ts'

export interface LedgerCheckOrder {
  readonly mode: LedgerCheckMode
  /** User id of the person who started it; 0 for the nightly job. */
  readonly startedBy: number
}

export interface LedgerCheckDeps {
  readonly database: Database
  /** Unix milliseconds. */
  readonly now: () => number
}

export interface EndedCheck {
  readonly id: number
  readonly outcome: LedgerCheckEnd
  readonly wrong: readonly TimedResult[]
}

export interface BegunCheck {
  readonly id: number
  /** Ends early, as stopped, when `signal` aborts. Rejects only when the end could not be stored. */
  run(signal: AbortSignal): Promise<EndedCheck>
}

/**
 * Begins a proof under the lease with this fencing number. It reads on a separate connection and writes short rows, so neither
 * requests nor the console wait for it. A correct ledger gets a checkpoint for the next proof.
 */
export async function beginLedgerCheck(
  { database, now }: LedgerCheckDeps,
  epoch: number,
  { mode, startedBy }: LedgerCheckOrder,
): Promise<BegunCheck> {
  const db = database.kysely
  const options = await optionsOf(db, mode, now())
  const since = options.scope.from
  const id = await insertLedgerCheck(db, { mode, startedBy, epoch, begun: now(), since })

  const prove = async (snapshotReads: SnapshotReads, signal: AbortSignal): Promise<readonly TimedResult[]> => {
    const results: TimedResult[] = []
    for await (const result of proveLedger(snapshotReads, options, now)) {
      results.push(result)
      signal.throwIfAborted()
      await insertCheckResult(db, id, storedResult(result, results.length))
    }
    return results
  }

  /** Returns the bound of a new checkpoint; empty when none should be made. */
  const leaveCheckpoint = async (snapshotReads: SnapshotReads, results: readonly TimedResult[]): Promise<string> => {
    // A new proof must not build on a checkpoint that did not agree.
    const base: Scope = results.some(({ recounted }) => recounted) ? WHOLE : options.scope
    const sums = await snapshotReads.read(async (reader) => {
      const read = createRowReader(reader)
      const bound = await chooseBound(read, now(), base)
      return bound === undefined ? undefined : { bound, rows: await sumAccounts(read, base, bound) }
    })
    if (sums === undefined) return ''
    await insertCheckpoint(db, id, sums.rows)
    return sums.bound
  }

  const end = async (outcome: LedgerCheckEnd, bound = ''): Promise<LedgerCheckEnd> => {
    const isKept = await endLedgerCheck(db, id, { outcome, at: now(), epoch, bound })
    return isKept ? outcome : 'stopped'
  }

  return {
    id,
    run: async (signal) => {
      const snapshotReads = await openSnapshotReads(database)
      const giveUp = (): void => void snapshotReads.abandon().catch(() => {})
      signal.addEventListener('abort', giveUp)
      try {
        signal.throwIfAborted()
        const results = await prove(snapshotReads, signal)
        const wrong = results.filter(({ firstWrong }) => firstWrong !== undefined)
        const bound = wrong.length === 0 ? await leaveCheckpoint(snapshotReads, results) : ''
        const outcome = await end(wrong.length === 0 ? 'sound' : 'wrong', bound)
        return { id, outcome, wrong }
      } catch (error) {
        const outcome = await end(signal.aborted ? 'stopped' : 'failed')
        if (!signal.aborted) throw error
        return { id, outcome, wrong: [] }
      } finally {
        signal.removeEventListener('abort', giveUp)
        if (!signal.aborted) await snapshotReads.close()
      }
    },
  }
}

function storedResult(result: TimedResult, place: number) {
  const { id: invariant, statement, checked, elapsedMs, recounted = false, firstWrong } = result
  return { invariant, place, statement, checked, elapsedMs, recounted, firstWrong: rowText(firstWrong) }
}

/** A row as JSON of texts: amounts do not fit into JSON numbers. */
function rowText(row: TimedResult['firstWrong']): string | null {
  if (row === undefined) return null
  return JSON.stringify(Object.fromEntries(Object.entries(row).map(([column, value]) => [column, valueText(value)])))
}

function valueText(value: unknown): string | null {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return String(value)
  return value === null ? null : JSON.stringify(value)
}
