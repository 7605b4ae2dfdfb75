import { modelDay, tokenDay, userDay } from '@sluice/contract/dashboard'
import { defineRoute } from '@sluice/contract/route'
import { dashboard } from '@sluice/contract/routes/dashboard'
import * as v from 'valibot'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'
import type { DateRange } from '../model/range.ts'
import type { RangeUsage } from '../model/usage.ts'

/** The contract's call with the replies that the specification allows: a plain list of model rows, or all three lists. */
const usageRoute = defineRoute({
  ...dashboard,
  data: v.union([
    v.array(modelDay),
    v.object({
      logs: v.array(modelDay),
      user_logs: v.optional(v.array(userDay), []),
      token_logs: v.optional(v.array(tokenDay), []),
    }),
  ]),
})

/** `user` is a user's id, `all`, or empty for the own account, which is all that ordinary users may ask for. */
export function usageQuery(call: Call, range: DateRange, user: string): QuerySpec<RangeUsage> {
  return {
    queryKey: ['dashboard', 'usage', range.from, range.to, user],
    queryFn: async ({ signal }) => {
      const query = { from_date: range.from, to_date: range.to, user_id: user }
      const { data } = successOf(await call(usageRoute, { query, signal }))
      return 'logs' in data ? { range, ...data } : { range, logs: data, user_logs: [], token_logs: [] }
    },
  }
}
