import type { Channel } from '@sluice/contract/channel'
import { listChannels, searchChannels } from '@sluice/contract/routes/channels'
import { diagnostics } from '../../../lib/diagnostics.ts'
import { type Call, isWorthTelling, successOf } from '../../../lib/http/call.ts'
import { type ListSearch, pageQueryOf } from '../../../lib/list/list-search.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** Start of every key under which channel lists are cached. */
export const CHANNEL_LISTS = ['channels', 'list'] as const

export interface ChannelPage {
  readonly rows: readonly Channel[]
  readonly total: number
}

type ChannelListSearch = Pick<ListSearch, 'p' | 'size' | 'sort' | 'order' | 'keyword'>

/** One page of channels; with a keyword, of those whose name starts with it or whose id it is. */
export function channelListQuery(call: Call, search: ChannelListSearch): QuerySpec<ChannelPage> {
  const { p, size, sort, order, keyword } = search
  const page = pageQueryOf({ p, size, sort, order })
  return {
    queryKey: [...CHANNEL_LISTS, { p, size, sort, order, keyword }],
    queryFn: async ({ signal }) => {
      const reply =
        keyword === ''
          ? await call(listChannels, { query: page, signal })
          : await call(searchChannels, { query: { ...page, keyword }, signal })
      if (!reply.ok && isWorthTelling(reply)) diagnostics.error('Failed to load channels')
      const { data, total } = successOf(reply)
      // Servers of the family answer a search without a total.
      return { rows: data, total: Math.max(total, data.length) }
    },
  }
}
