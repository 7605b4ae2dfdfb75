import type { Found } from '@sluice/contract/findings/catalogue'
import type { LedgerCheckRow } from '@sluice/store/queries/ledger/ledger-checks'
import { type Check, orWell } from '../check.ts'
import { momentText } from '../in-words.ts'
import { type KnownReplica, replicaInWords } from '../replica-facts.ts'

export interface LedgerFacts {
  /** Proofs, newest first; one page is enough. */
  readonly proofs: () => Promise<readonly LedgerCheckRow[]>
  /** The number of holds untouched since a time in unix ms, and the oldest touch among them. */
  readonly holdsUntouchedSince: (since: number) => Promise<{ readonly count: number; readonly oldest: number }>
  readonly replicas: () => Promise<readonly KnownReplica[]>
  /** Unix milliseconds. */
  readonly now: () => number
}

const DAY_MS = 86_400_000
/** One missed night can happen; two in a row are no coincidence. */
const OLD_PROOF_MS = 3 * DAY_MS
/** Holds are renewed every few seconds, and those of dead processes are closed after a minute. */
const UNTOUCHED_MS = 3_600_000

/** Checks the last proof and its result, holds that nobody renews, and charges that could not be made. */
export function ledgerCheck({ proofs, holdsUntouchedSince, replicas, now }: LedgerFacts): Check {
  return {
    name: 'ledger',
    examine: async () => {
      const [rows, holds, known] = await Promise.all([proofs(), holdsUntouchedSince(now() - UNTOUCHED_MS), replicas()])
      const found: readonly Found[] = [
        ...proofOf(rows, now()),
        ...(holds.count === 0
          ? []
          : [{ id: 'ledger.holds', params: { count: holds.count, at: momentText(holds.oldest) } } as const]),
        ...known.flatMap(({ id, facts }): readonly Found[] =>
          facts === undefined || facts.uncharged === 0
            ? []
            : [{ id: 'ledger.uncharged', subject: replicaInWords(id), params: { count: facts.uncharged } }],
        ),
      ]
      const proved = rows.find(({ outcome }) => outcome === 'sound')
      return orWell(found, { id: 'ledger.ok', params: { at: momentText(proved?.ended ?? 0) } })
    },
  }
}

function proofOf(rows: readonly LedgerCheckRow[], now: number): readonly Found[] {
  const last = rows.find(({ outcome }) => outcome === 'sound' || outcome === 'wrong' || outcome === 'failed')
  if (last === undefined) return [{ id: 'ledger.never' }]
  const at = momentText(last.begun)
  if (last.outcome === 'wrong') {
    const wrong = last.results.find(({ firstWrong }) => firstWrong !== null)
    return [{ id: 'ledger.wrong', params: { at, statement: wrong?.statement ?? '' } }]
  }
  if (last.outcome === 'failed') return [{ id: 'ledger.failed', params: { at } }]
  return now - last.begun > OLD_PROOF_MS ? [{ id: 'ledger.old', params: { at } }] : []
}
