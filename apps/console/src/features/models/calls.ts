import type { UsableGroups } from '@sluice/contract/groups'
import type { PriceList } from '@sluice/contract/price-list'
import { modelsDisplay } from '@sluice/contract/routes/public'
import { type Call, successOf } from '~/lib/http/call.ts'
import type { QuerySpec } from '~/lib/query/queries.ts'

/** Prices change only when channels do, which is rare. */
const FRESH_MS = 60_000

export interface Prices {
  readonly list: PriceList
  readonly groups: UsableGroups
}

/** Users get the models and prices of their groups, visitors those of all, so a cached reply belongs to one user or to visitors. */
export function priceListQuery(call: Call, userId: number | undefined): QuerySpec<Prices> {
  return {
    queryKey: ['models', 'display', userId ?? 'visitor'],
    queryFn: async ({ signal }) => {
      const { data, extra } = successOf(await call(modelsDisplay, { query: {}, signal }))
      return { list: data, groups: extra.groups }
    },
    staleTime: FRESH_MS,
  }
}
