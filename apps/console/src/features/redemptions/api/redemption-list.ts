import type { Redemption } from '@sluice/contract/redemption'
import { listRedemptions, searchRedemptions } from '@sluice/contract/routes/redemptions'
import type { Call } from '../../../lib/http/call.ts'
import { type ListPage, listQuery, type RowSearch } from '../../../lib/list/list-query.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** One page of codes; with a keyword, of those whose name begins with it or whose id it is. */
export function redemptionListQuery(call: Call, search: RowSearch): QuerySpec<ListPage<Redemption>> {
  return listQuery(
    {
      area: 'redemptions',
      list: (query, signal) => call(listRedemptions, { query, signal }),
      find: (query, signal) => call(searchRedemptions, { query, signal }),
      note: 'Failed to load redemptions',
    },
    search,
  )
}
