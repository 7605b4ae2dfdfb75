import type { Redemption } from '@sluice/contract/redemption'
import { deleteRedemption, updateRedemption } from '@sluice/contract/routes/redemptions'
import type { Call } from '../../../lib/http/call.ts'
import type { RowCalls } from '../../../lib/list/row-calls.ts'

/** The calls that switch a code on and off, and delete it. */
export function redemptionChanges(call: Call): RowCalls<Redemption> {
  return {
    setStatus: ({ id }, status) => call(updateRedemption, { query: { status_only: 'true' }, body: { id, status } }),
    remove: ({ id }) => call(deleteRedemption, { params: { id } }),
  }
}
