import { self } from '@sluice/contract/routes/account'
import type { User } from '@sluice/contract/user'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

const BALANCE = ['topup', 'self'] as const

/** The signed-in account with its balance. */
export function balanceQuery(call: Call): QuerySpec<User> {
  return {
    queryKey: BALANCE,
    queryFn: async ({ signal }) => successOf(await call(self, { signal })).data,
  }
}
