import type { LedgerCheck } from '@sluice/contract/ledger-check'
import { listLedgerChecks } from '@sluice/contract/routes/ledger'
import { type Call, successOf } from '~/lib/http/call.ts'
import type { QuerySpec } from '~/lib/query/queries.ts'

export const LEDGER_CHECKS = ['dashboard', 'ledger-checks'] as const
/** The one that is shown, and some before it. */
const SHOWN = '6'

/** The latest verifications of the ledger, newest first. Needs `ledger.verify`. */
export function ledgerChecksQuery(call: Call): QuerySpec<readonly LedgerCheck[]> {
  return {
    queryKey: LEDGER_CHECKS,
    queryFn: async ({ signal }) => successOf(await call(listLedgerChecks, { query: { size: SHOWN }, signal })).data,
  }
}
