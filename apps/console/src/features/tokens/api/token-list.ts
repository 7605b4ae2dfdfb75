import { listTokens, searchTokens } from '@sluice/contract/routes/tokens'
import type { Token } from '@sluice/contract/token'
import { type Call, successOf } from '../../../lib/http/call.ts'
import { type ListSearch, pageQueryOf } from '../../../lib/list/list-search.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** Start of every key under which token lists are cached. */
export const TOKEN_LISTS = ['tokens', 'list'] as const

export interface TokenPage {
  readonly rows: readonly Token[]
  readonly total: number
}

type TokenListSearch = Pick<ListSearch, 'p' | 'size' | 'sort' | 'order' | 'keyword'>

/** One page of own tokens; with a keyword, of those whose name starts with it. */
export function tokenListQuery(call: Call, search: TokenListSearch): QuerySpec<TokenPage> {
  const { p, size, sort, order, keyword } = search
  const page = pageQueryOf({ p, size, sort, order })
  return {
    queryKey: [...TOKEN_LISTS, { p, size, sort, order, keyword }],
    queryFn: async ({ signal }) => {
      const reply =
        keyword === ''
          ? await call(listTokens, { query: page, signal })
          : await call(searchTokens, { query: { ...page, keyword }, signal })
      const { data, total } = successOf(reply)
      // Servers of the family answer a search without a total.
      return { rows: data, total: Math.max(total, data.length) }
    },
  }
}
