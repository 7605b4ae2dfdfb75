import type { ChannelKey } from '@sluice/contract/channel'
import { listChannelKeys } from '@sluice/contract/routes/channels'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** The keys of a channel by their fingerprints, in the order in which they were given. */
export function channelKeysQuery(call: Call, id: number): QuerySpec<readonly ChannelKey[]> {
  return {
    queryKey: ['channels', 'keys', id],
    queryFn: async ({ signal }) => successOf(await call(listChannelKeys, { params: { id }, signal })).data,
  }
}
