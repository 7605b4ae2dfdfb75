import { channelMetadata, modelsByType } from '@sluice/contract/routes/channels'
import { listGroups } from '@sluice/contract/routes/users'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** What is known of providers changes with a release of the gateway. */
const FRESH_MS = 600_000

export type KnownModels = Readonly<Record<string, readonly string[]>>

/** Names of the models that are known of each channel type, by the type's code. */
export function knownModelsQuery(call: Call): QuerySpec<KnownModels> {
  return {
    queryKey: ['channel-choices', 'models'],
    queryFn: async ({ signal }) => successOf(await call(modelsByType, { signal })).data,
    staleTime: FRESH_MS,
  }
}

/** Names of all groups. */
export function groupNamesQuery(call: Call): QuerySpec<readonly string[]> {
  return {
    queryKey: ['channel-choices', 'groups'],
    queryFn: async ({ signal }) => successOf(await call(listGroups, { signal })).data,
  }
}

/** The address that a channel of a type has when none is given; empty when the type has none. */
export function defaultBaseUrlQuery(call: Call, type: number): QuerySpec<string> {
  return {
    queryKey: ['channel-choices', 'base-url', type],
    queryFn: async ({ signal }) =>
      successOf(await call(channelMetadata, { query: { type: String(type) }, signal })).data.default_base_url,
    staleTime: FRESH_MS,
  }
}
