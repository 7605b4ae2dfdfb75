import type { ChannelStatus, ChannelSummary } from '@sluice/contract/price-list'
import { statusOfChannels } from '@sluice/contract/routes/public'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'
import type { StatusSearch } from '../model/status-search.ts'

/** Cards per page. */
export const PAGE_SIZE = 6

export interface StatusPage {
  readonly channels: readonly ChannelStatus[]
  /** Channels that match the search. */
  readonly total: number
  /** All channels, whatever is searched for. */
  readonly summary: ChannelSummary
}

/** One page of channels with the summary of all. */
export function channelStatusQuery(call: Call, { p, keyword, range }: StatusSearch): QuerySpec<StatusPage> {
  return {
    queryKey: ['status', 'channels', { p, keyword, range }],
    queryFn: async ({ signal }) => {
      const query = { p: String(p), size: String(PAGE_SIZE), keyword, range }
      const { data, total, extra } = successOf(await call(statusOfChannels, { query, signal }))
      return { channels: data, total, summary: extra.summary }
    },
  }
}
