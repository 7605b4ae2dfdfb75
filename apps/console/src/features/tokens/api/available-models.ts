import { availableModels } from '@sluice/contract/routes/account'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** The list changes with channels, which is rarely. */
const FRESH_MS = 60_000

/** Names of the models that the account's group can reach, each once. */
export function availableModelsQuery(call: Call): QuerySpec<readonly string[]> {
  return {
    queryKey: ['tokens', 'available-models'],
    queryFn: async ({ signal }) => {
      const reply = await call(availableModels, { signal })
      return [...new Set(successOf(reply, 'Failed to load models').data)]
    },
    staleTime: FRESH_MS,
  }
}
