import { deleteUser, updateUser } from '@sluice/contract/routes/users'
import type { User } from '@sluice/contract/user'
import type { Call } from '../../../lib/http/call.ts'
import type { RowCalls } from '../../../lib/list/row-calls.ts'

/** The calls that switch a user on and off, and delete it. */
export function userChanges(call: Call): RowCalls<User> {
  return {
    setStatus: ({ id }, status) => call(updateUser, { query: { status_only: 'true' }, body: { id, status } }),
    remove: ({ id }) => call(deleteUser, { params: { id } }),
  }
}
