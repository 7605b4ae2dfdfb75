import { listUsers, searchUsers } from '@sluice/contract/routes/users'
import type { User } from '@sluice/contract/user'
import { diagnostics } from '../../../lib/diagnostics.ts'
import { type Call, isWorthTelling, successOf } from '../../../lib/http/call.ts'
import { type ListSearch, pageQueryOf } from '../../../lib/list/list-search.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** Start of every key under which user lists are cached. */
export const USER_LISTS = ['users', 'list'] as const

export interface UserPage {
  readonly rows: readonly User[]
  readonly total: number
}

type UserListSearch = Pick<ListSearch, 'p' | 'size' | 'sort' | 'order' | 'keyword'>

/** One page of users; with a keyword, of those whose name, display name or email begins with it or whose id it is. */
export function userListQuery(call: Call, search: UserListSearch): QuerySpec<UserPage> {
  const { p, size, sort, order, keyword } = search
  const page = pageQueryOf({ p, size, sort, order })
  return {
    queryKey: [...USER_LISTS, { p, size, sort, order, keyword }],
    queryFn: async ({ signal }) => {
      const reply =
        keyword === ''
          ? await call(listUsers, { query: page, signal })
          : await call(searchUsers, { query: { ...page, keyword }, signal })
      if (!reply.ok && isWorthTelling(reply)) diagnostics.error('Failed to load users')
      const { data, total } = successOf(reply)
      // Servers of the family answer a search without a total.
      return { rows: data, total: Math.max(total, data.length) }
    },
  }
}
