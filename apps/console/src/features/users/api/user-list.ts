import { listUsers, searchUsers } from '@sluice/contract/routes/users'
import type { User } from '@sluice/contract/user'
import type { Call } from '../../../lib/http/call.ts'
import { type ListPage, listQuery, type RowSearch } from '../../../lib/list/list-query.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** One page of users; with a keyword, of those whose name, display name or email begins with it or whose id it is. */
export function userListQuery(call: Call, search: RowSearch): QuerySpec<ListPage<User>> {
  return listQuery(
    {
      area: 'users',
      list: (query, signal) => call(listUsers, { query, signal }),
      find: (query, signal) => call(searchUsers, { query, signal }),
      note: 'Failed to load users',
    },
    search,
  )
}
