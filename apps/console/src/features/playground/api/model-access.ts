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

/** Which channel has which models, and what each of them takes: as the server says, else as its name tells. */
export function channelModelsQuery(call: Call): QuerySpec<PriceList> {
  return {
    queryKey: ['playground', 'channel-models'],
    queryFn: async ({ signal }) => withCapabilities(successOf(await call(modelsDisplay, { query: {}, signal })).data),
    staleTime: FRESH_MS,
  }
}

/** Rules by name are loaded where a server does not say itself what its models take. */
async function withCapabilities(list: PriceList): Promise<PriceList> {
  const models = Object.values(list).flatMap((channel) => Object.entries(channel.models))
  const untold = models.filter(([, { capabilities }]) => capabilities === undefined)
  if (untold.length === 0) return list
  const { capabilitiesByName } = await import('../model/model-families.ts')
  for (const [name, model] of untold) model.capabilities = capabilitiesByName(name)
  return list
}
