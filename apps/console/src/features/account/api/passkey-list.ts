import type { Data } from '@sluice/contract/route'
import { listPasskeys } from '@sluice/contract/routes/passkeys'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

export const PASSKEYS = ['account', 'passkeys'] as const
export type Passkey = Data<typeof listPasskeys>[number]

/** Own passkeys. */
export function passkeyListQuery(call: Call): QuerySpec<readonly Passkey[]> {
  return {
    queryKey: PASSKEYS,
    queryFn: async ({ signal }) => successOf(await call(listPasskeys, { signal })).data,
  }
}
