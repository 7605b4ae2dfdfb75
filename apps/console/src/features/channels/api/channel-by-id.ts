import type { Channel } from '@sluice/contract/channel'
import { getChannel } from '@sluice/contract/routes/channels'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** One channel, without its key. */
export function channelQuery(call: Call, id: number): QuerySpec<Channel> {
  return {
    queryKey: ['channels', 'one', id],
    queryFn: async ({ signal }) =>
      successOf(await call(getChannel, { params: { id }, signal }), 'Failed to load channel').data,
  }
}
