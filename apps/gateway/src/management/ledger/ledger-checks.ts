import {
  LEDGER_CHECK_MODES,
  LEDGER_CHECK_OUTCOMES,
  type LedgerCheck,
  type LedgerCheckMode,
} from '@sluice/contract/ledger-check'
import * as routes from '@sluice/contract/routes/ledger'
import { pageOf } from '@sluice/store/paging'
import {
  type CheckedInvariant,
  type LedgerCheckRow,
  listLedgerChecks,
} from '@sluice/store/queries/ledger/ledger-checks'
import { type Binding, bind } from '../bind.ts'
import type { SharedPorts } from '../ports.ts'

/** `startedBy`: a user id. Returns the id of the proof, which continues after the answer; `busy` while any replica runs one. */
export interface StartLedgerChecks {
  start(order: { readonly mode: LedgerCheckMode; readonly startedBy: number }): Promise<number | 'busy'>
}

export interface LedgerCheckDeps extends Pick<SharedPorts, 'database' | 'now'> {
  readonly ledgerChecks: StartLedgerChecks
}

export function ledgerRoutes({ database, ledgerChecks, now }: LedgerCheckDeps): readonly Binding[] {
  return [
    bind(routes.listLedgerChecks, async ({ query }) => {
      const { rows, total } = await listLedgerChecks(database.kysely, pageOf(query), now())
      return { data: rows.map((row) => checkOnWire(row, now())), total }
    }),
    bind(routes.startLedgerCheck, async ({ body, caller }) => {
      const id = await ledgerChecks.start({ mode: body.mode, startedBy: caller.id })
      return id === 'busy'
        ? { code: 'job_running', params: { what: 'A verification of the ledger' } }
        : { data: { id } }
    }),
  ]
}

function checkOnWire(row: LedgerCheckRow, now: number): LedgerCheck {
  const outcome = LEDGER_CHECK_OUTCOMES.find((each) => each === row.outcome) ?? 'failed'
  const end = row.ended > 0 ? row.ended : outcome === 'running' ? now : row.begun
  return {
    id: row.id,
    mode: LEDGER_CHECK_MODES.find((each) => each === row.mode) ?? 'incremental',
    outcome,
    started_by: row.startedBy,
    started_by_name: row.startedByName,
    started_at: seconds(row.begun),
    ended_at: seconds(row.ended),
    elapsed_ms: Math.max(0, end - row.begun),
    rows_since: row.since === '' ? 0 : seconds(Number.parseInt(row.since, 16)),
    results: row.results.map(resultOnWire),
  }
}

function resultOnWire(result: CheckedInvariant): LedgerCheck['results'][number] {
  return {
    id: result.invariant,
    statement: result.statement,
    checked: result.checked,
    elapsed_ms: result.elapsedMs,
    recounted: result.recounted,
    // Only `run-ledger-check.ts` writes this column.
    first_wrong: result.firstWrong === null ? null : (JSON.parse(result.firstWrong) as Record<string, string | null>),
  }
}

const seconds = (ms: number): number => Math.floor(ms / 1_000)
