import { getUser } from '@sluice/contract/routes/users'
import type { User } from '@sluice/contract/user'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** One user. Refused for somebody of the same or a higher role than the caller's. */
export function userQuery(call: Call, id: number): QuerySpec<User> {
  return {
    queryKey: ['users', 'one', id],
    queryFn: async ({ signal }) =>
      successOf(await call(getUser, { params: { id }, signal }), 'Failed to load user').data,
  }
}
