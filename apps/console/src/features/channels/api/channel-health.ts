import { listChannelHealth } from '@sluice/contract/routes/routing'
import type { ChannelHealth } from '@sluice/contract/routing'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'
import { onOwnClock } from '../model/channel-health.ts'

/** First part of the key of every question for the health of channels. */
export const CHANNEL_HEALTH = ['channel-health']

/**
 * The channels that were asked lately, with the ends of rests on this clock. `channel` 0 asks for all, each with its worst
 * lanes; else for one with all of them.
 */
export function channelHealthQuery(call: Call, channel = 0): QuerySpec<readonly ChannelHealth[]> {
  return {
    queryKey: [...CHANNEL_HEALTH, channel],
    queryFn: async ({ signal }) => {
      const query = channel === 0 ? {} : { channel: String(channel) }
      const { data, extra } = successOf(await call(listChannelHealth, { query, signal }))
      return data.map((each) => onOwnClock(each, Date.now() - extra.now))
    },
  }
}
