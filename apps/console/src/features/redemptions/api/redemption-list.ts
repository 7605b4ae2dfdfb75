import type { Redemption } from '@sluice/contract/redemption'
import { listRedemptions, searchRedemptions } from '@sluice/contract/routes/redemptions'
import { diagnostics } from '../../../lib/diagnostics.ts'
import { type Call, isWorthTelling, successOf } from '../../../lib/http/call.ts'
import { type ListSearch, pageQueryOf } from '../../../lib/list/list-search.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** Start of every key under which lists of codes are cached. */
export const REDEMPTION_LISTS = ['redemptions', 'list'] as const

export interface RedemptionPage {
  readonly rows: readonly Redemption[]
  readonly total: number
}

type RedemptionListSearch = Pick<ListSearch, 'p' | 'size' | 'sort' | 'order' | 'keyword'>

/** One page of codes; with a keyword, of those whose name begins with it or whose id it is. */
export function redemptionListQuery(call: Call, search: RedemptionListSearch): QuerySpec<RedemptionPage> {
  const { p, size, sort, order, keyword } = search
  const page = pageQueryOf({ p, size, sort, order })
  return {
    queryKey: [...REDEMPTION_LISTS, { p, size, sort, order, keyword }],
    queryFn: async ({ signal }) => {
      const reply =
        keyword === ''
          ? await call(listRedemptions, { query: page, signal })
          : await call(searchRedemptions, { query: { ...page, keyword }, signal })
      if (!reply.ok && isWorthTelling(reply)) diagnostics.error('Failed to load redemptions')
      const { data, total } = successOf(reply)
      // Servers of the family answer a search without a total.
      return { rows: data, total: Math.max(total, data.length) }
    },
  }
}
