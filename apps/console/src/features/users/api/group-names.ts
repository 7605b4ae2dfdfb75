import { listGroups } from '@sluice/contract/routes/users'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** Groups change with a setting, which is rarely. */
const FRESH_MS = 60_000

/** Names of all groups a user can be in. */
export function groupNamesQuery(call: Call): QuerySpec<readonly string[]> {
  return {
    queryKey: ['users', 'groups'],
    queryFn: async ({ signal }) => successOf(await call(listGroups, { signal })).data,
    staleTime: FRESH_MS,
  }
}
