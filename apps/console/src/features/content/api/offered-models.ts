import { availableModels } from '@sluice/contract/routes/account'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** The list changes with channels, which is rarely. */
const FRESH_MS = 60_000

/** Names of the models that the signed-in account can call. */
export function offeredModelsQuery(call: Call): QuerySpec<readonly string[]> {
  return {
    queryKey: ['content', 'offered-models'],
    queryFn: async ({ signal }) => successOf(await call(availableModels, { signal })).data,
    staleTime: FRESH_MS,
  }
}
