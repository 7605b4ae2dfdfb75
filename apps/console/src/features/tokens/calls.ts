import type { UsableGroups } from '@sluice/contract/groups'
import { availableModels, ownGroups } from '@sluice/contract/routes/account'
import {
  deleteToken,
  firstCallOfToken,
  getToken,
  listTokens,
  searchTokens,
  updateToken,
} from '@sluice/contract/routes/tokens'
import type { FirstCall, Token } from '@sluice/contract/token'
import { type Call, successOf } from '~/lib/http/call.ts'
import { type ListPage, listQuery, type RowSearch, suggestionQuery, suggestionsOf } from '~/lib/list/list-query.ts'
import type { RowCalls } from '~/lib/list/row-calls.ts'
import type { QuerySpec } from '~/lib/query/queries.ts'

/** With a keyword, only tokens whose name starts with it. */
export function tokenListQuery(call: Call, search: RowSearch): QuerySpec<ListPage<Token>> {
  return listQuery(
    {
      area: 'tokens',
      list: (query, signal) => call(listTokens, { query, signal }),
      find: (query, signal) => call(searchTokens, { query, signal }),
    },
    search,
  )
}

/** Tokens whose name starts with the text; `undefined` when the call failed. */
export async function suggestTokens(call: Call, text: string, signal: AbortSignal) {
  const reply = await call(searchTokens, { query: suggestionQuery(text), signal })
  return suggestionsOf(reply, ({ id, name }) => ({ id: String(id), label: name, hint: `#${id}` }))
}

export function tokenQuery(call: Call, id: number): QuerySpec<Token> {
  return {
    queryKey: ['tokens', 'one', id],
    queryFn: async ({ signal }) => successOf(await call(getToken, { params: { id }, signal })).data,
  }
}

/** Whether a call has used the token yet. Servers of the specification do not say, and the query then fails. */
export function firstCallQuery(call: Call, id: number): QuerySpec<FirstCall> {
  return {
    queryKey: ['tokens', 'first-call', id],
    queryFn: async ({ signal }) => successOf(await call(firstCallOfToken, { params: { id }, signal })).data,
  }
}

export function tokenChanges(call: Call): RowCalls<Token> {
  return {
    setStatus: ({ id }, status) => call(updateToken, { query: { status_only: '1' }, body: { id, status } }),
    remove: ({ id }) => call(deleteToken, { params: { id } }),
  }
}

/** Models and groups change only when channels or settings do, which is rare. */
const FRESH_MS = 60_000

/** Models that these groups serve, without duplicates; without groups, the models that the account can call. */
export function availableModelsQuery(call: Call, groups: readonly string[] = []): QuerySpec<readonly string[]> {
  return {
    queryKey: ['tokens', 'available-models', ...groups],
    queryFn: async ({ signal }) => {
      const reply = await call(availableModels, { query: { groups: groups.join(',') }, signal })
      return [...new Set(successOf(reply, 'Failed to load models').data)]
    },
    staleTime: FRESH_MS,
  }
}

/** Groups that the account can choose for a token. Servers of the specification have none, and the query then fails. */
export function usableGroupsQuery(call: Call): QuerySpec<UsableGroups> {
  return {
    queryKey: ['tokens', 'groups'],
    queryFn: async ({ signal }) => successOf(await call(ownGroups, { signal })).data,
    staleTime: FRESH_MS,
  }
}
