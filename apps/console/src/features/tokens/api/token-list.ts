import { listTokens, searchTokens } from '@sluice/contract/routes/tokens'
import type { Token } from '@sluice/contract/token'
import type { Call } from '../../../lib/http/call.ts'
import { type ListPage, listQuery, type RowSearch } from '../../../lib/list/list-query.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** One page of own tokens; with a keyword, of those whose name starts with it. */
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
