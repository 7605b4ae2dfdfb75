import { getUser } from '@sluice/contract/routes/users'
import type { User } from '@sluice/contract/user'
import { diagnostics } from '../../../lib/diagnostics.ts'
import { type Call, isWorthTelling, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** One user. Refused for somebody of the same or a higher role than the caller's. */
export function userQuery(call: Call, id: number): QuerySpec<User> {
  return {
    queryKey: ['users', 'one', id],
    queryFn: async ({ signal }) => {
      const reply = await call(getUser, { params: { id }, signal })
      if (!reply.ok && isWorthTelling(reply)) diagnostics.error('Failed to load user')
      return successOf(reply).data
    },
  }
}
