import { self } from '@sluice/contract/routes/account'
import type { User } from '@sluice/contract/user'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

export const OWN_ACCOUNT = ['account', 'self'] as const

/** The signed-in account as it is stored. */
export function ownAccountQuery(call: Call): QuerySpec<User> {
  return {
    queryKey: OWN_ACCOUNT,
    queryFn: async ({ signal }) => successOf(await call(self, { signal })).data,
  }
}
