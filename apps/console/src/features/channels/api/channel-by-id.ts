import type { Channel } from '@sluice/contract/channel'
import { getChannel } from '@sluice/contract/routes/channels'
import { diagnostics } from '../../../lib/diagnostics.ts'
import { type Call, isWorthTelling, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** One channel, without its key. */
export function channelQuery(call: Call, id: number): QuerySpec<Channel> {
  return {
    queryKey: ['channels', 'one', id],
    queryFn: async ({ signal }) => {
      const reply = await call(getChannel, { params: { id }, signal })
      if (!reply.ok && isWorthTelling(reply)) diagnostics.error('Failed to load channel')
      return successOf(reply).data
    },
  }
}
