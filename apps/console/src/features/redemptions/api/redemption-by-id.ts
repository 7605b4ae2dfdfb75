import type { Redemption } from '@sluice/contract/redemption'
import { getRedemption } from '@sluice/contract/routes/redemptions'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** One redemption code. */
export function redemptionQuery(call: Call, id: number): QuerySpec<Redemption> {
  return {
    queryKey: ['redemptions', 'one', id],
    queryFn: async ({ signal }) =>
      successOf(await call(getRedemption, { params: { id }, signal }), 'Failed to load redemption').data,
  }
}
