import type { Channel } from '@sluice/contract/channel'
import { listChannels, searchChannels } from '@sluice/contract/routes/channels'
import type { Call } from '../../../lib/http/call.ts'
import { type ListPage, listQuery, type RowSearch } from '../../../lib/list/list-query.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** One page of channels; with a keyword, of those whose name starts with it or whose id it is. */
export function channelListQuery(call: Call, search: RowSearch): QuerySpec<ListPage<Channel>> {
  return listQuery(
    {
      area: 'channels',
      list: (query, signal) => call(listChannels, { query, signal }),
      find: (query, signal) => call(searchChannels, { query, signal }),
      note: 'Failed to load channels',
    },
    search,
  )
}
