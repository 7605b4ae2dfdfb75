import type { PriceList } from '@sluice/contract/price-list'
import { modelsDisplay } from '@sluice/contract/routes/public'
import { type Call, successOf } from '../../lib/http/call.ts'
import type { QuerySpec } from '../../lib/query/queries.ts'

/** Prices change only with channels, which is rarely. */
const FRESH_MS = 60_000

/** Models and prices by channel: for users those of their own group, for visitors all, so a cached reply belongs to one of them. */
export function priceListQuery(call: Call, userId: number | undefined): QuerySpec<PriceList> {
  return {
    queryKey: ['models', 'display', userId ?? 'visitor'],
    queryFn: async ({ signal }) => successOf(await call(modelsDisplay, { query: {}, signal })).data,
    staleTime: FRESH_MS,
  }
}
