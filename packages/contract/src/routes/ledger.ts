import * as v from 'valibot'
import { LEDGER_CHECK_MODES, ledgerCheck } from '../ledger-check.ts'
import { defineRoute } from '../route.ts'
import { pageQuery } from '../scalars.ts'

export const listLedgerChecks = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/ledger/check/',
  access: 'ledger.verify',
  summary: 'Verifications of the ledger with their results, newest first; a running one includes its progress',
  query: v.object({ p: pageQuery.p, size: pageQuery.size }),
  data: v.array(ledgerCheck),
  paged: true,
})
export const startLedgerCheck = defineRoute({
  method: 'POST',
  path: '/api/ledger/check/',
  access: 'ledger.verify',
  summary: 'Start a verification of the ledger and return its id at once. Refused while one is running',
  body: v.object({ mode: v.optional(v.picklist(LEDGER_CHECK_MODES), 'incremental') }),
  data: v.object({ id: v.number() }),
})
