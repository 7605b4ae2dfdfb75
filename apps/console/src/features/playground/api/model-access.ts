import type { PriceList } from '@sluice/contract/price-list'
import { availableModels } from '@sluice/contract/routes/account'
import { modelsDisplay } from '@sluice/contract/routes/public'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** Both lists change with channels, which is rarely. */
const FRESH_MS = 60_000

/** Names of the models that the account's group reaches, each once. */
export function entitledModelsQuery(call: Call): QuerySpec<readonly string[]> {
  return {
    queryKey: ['playground', 'available-models'],
    queryFn: async ({ signal }) => [...new Set(successOf(await call(availableModels, { signal })).data)],
    staleTime: FRESH_MS,
  }
}

/** Which channel has which models, and what each of them takes. */
export function channelModelsQuery(call: Call): QuerySpec<PriceList> {
  return {
    queryKey: ['playground', 'channel-models'],
    queryFn: async ({ signal }) => successOf(await call(modelsDisplay, { query: {}, signal })).data,
    staleTime: FRESH_MS,
  }
}
