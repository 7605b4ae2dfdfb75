import type { Redemption } from '@sluice/contract/redemption'
import { getRedemption } from '@sluice/contract/routes/redemptions'
import { diagnostics } from '../../../lib/diagnostics.ts'
import { type Call, isWorthTelling, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** One redemption code. */
export function redemptionQuery(call: Call, id: number): QuerySpec<Redemption> {
  return {
    queryKey: ['redemptions', 'one', id],
    queryFn: async ({ signal }) => {
      const reply = await call(getRedemption, { params: { id }, signal })
      if (!reply.ok && isWorthTelling(reply)) diagnostics.error('Failed to load redemption')
      return successOf(reply).data
    },
  }
}
