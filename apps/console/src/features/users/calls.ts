import { listAllTokens } from '@sluice/contract/routes/admin-tokens'
import { deleteUser, getUser, listGroups, listUsers, searchUsers, updateUser } from '@sluice/contract/routes/users'
import type { AnyToken } from '@sluice/contract/token'
import type { User } from '@sluice/contract/user'
import { type Call, successOf } from '~/lib/http/call.ts'
import { type ListPage, listQuery, type RowSearch, suggestionQuery, suggestionsOf } from '~/lib/list/list-query.ts'
import type { RowCalls } from '~/lib/list/row-calls.ts'
import type { QuerySpec } from '~/lib/query/queries.ts'

/** With a keyword, only users whose name, display name or email begins with it or whose id it is. */
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

/** Users whose name, display name or email begins with the text or whose id it is; `undefined` when the call failed. */
export async function suggestUsers(call: Call, text: string, signal: AbortSignal) {
  const reply = await call(searchUsers, { query: suggestionQuery(text), signal })
  return suggestionsOf(reply, ({ id, username, role }) => ({ id: String(id), label: username, role }))
}

export function userQuery(call: Call, id: number): QuerySpec<User> {
  return {
    queryKey: ['users', 'one', id],
    queryFn: async ({ signal }) =>
      successOf(await call(getUser, { params: { id }, signal }), 'Failed to load user').data,
  }
}

export function userChanges(call: Call): RowCalls<User> {
  return {
    setStatus: ({ id }, status) => call(updateUser, { query: { status_only: 'true' }, body: { id, status } }),
    remove: ({ id }) => call(deleteUser, { params: { id } }),
  }
}

/** Groups change only with a setting, which is rare. */
const GROUPS_FRESH_MS = 60_000

export function groupNamesQuery(call: Call): QuerySpec<readonly string[]> {
  return {
    queryKey: ['users', 'groups'],
    queryFn: async ({ signal }) => successOf(await call(listGroups, { signal })).data,
    staleTime: GROUPS_FRESH_MS,
  }
}

/** A user's further tokens are only counted. */
const MOST_TOKENS = 20

interface UserTokens {
  readonly rows: readonly AnyToken[]
  readonly total: number
}

/** The newest tokens of a user, without their keys. */
export function userTokensQuery(call: Call, userId: number): QuerySpec<UserTokens> {
  return {
    queryKey: ['users', 'tokens', userId],
    queryFn: async ({ signal }) => {
      const query = { user_id: String(userId), size: String(MOST_TOKENS) }
      const { data, total } = successOf(await call(listAllTokens, { query, signal }))
      return { rows: data, total }
    },
  }
}
