import type { Redemption } from '@sluice/contract/redemption'
import {
  deleteRedemption,
  getRedemption,
  listRedemptions,
  searchRedemptions,
  updateRedemption,
} from '@sluice/contract/routes/redemptions'
import { type Call, successOf } from '~/lib/http/call.ts'
import { type ListPage, listQuery, type RowSearch, MOST_SUGGESTIONS } from '~/lib/list/list-query.ts'
import type { RowCalls } from '~/lib/list/row-calls.ts'
import type { QuerySpec } from '~/lib/query/queries.ts'

/** With a keyword, only codes whose name begins with it or whose id it is. */
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

/** Rows fetched for suggestions; codes made together share a name. */
const CODES_LOOKED_AT = 100

/** Names that begin with the text, each with its number of codes among those fetched; `undefined` when the call failed. */
export async function suggestRedemptions(
  call: Call,
  text: string,
  signal: AbortSignal,
): Promise<Array<{ readonly id: string; readonly label: string; readonly codes: number }> | undefined> {
  const reply = await call(searchRedemptions, { query: { keyword: text, size: String(CODES_LOOKED_AT) }, signal })
  if (!reply.ok) return undefined
  const codes = new Map<string, number>()
  for (const { name } of reply.data) codes.set(name, (codes.get(name) ?? 0) + 1)
  return [...codes].slice(0, MOST_SUGGESTIONS).map(([name, count]) => ({ id: name, label: name, codes: count }))
}

export function redemptionQuery(call: Call, id: number): QuerySpec<Redemption> {
  return {
    queryKey: ['redemptions', 'one', id],
    queryFn: async ({ signal }) =>
      successOf(await call(getRedemption, { params: { id }, signal }), 'Failed to load redemption').data,
  }
}

export function redemptionChanges(call: Call): RowCalls<Redemption> {
  return {
    setStatus: ({ id }, status) => call(updateRedemption, { query: { status_only: 'true' }, body: { id, status } }),
    remove: ({ id }) => call(deleteRedemption, { params: { id } }),
  }
}
