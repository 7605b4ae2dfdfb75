import type { ChannelStatus, ChannelSummary } from '@sluice/contract/price-list'
import { statusOfChannels } from '@sluice/contract/routes/public'
import { type Call, successOf } from '~/lib/http/call.ts'
import { everyRow } from '~/lib/list/every-row.ts'
import { pageOf } from '~/lib/list/list-query.ts'
import type { QuerySpec } from '~/lib/query/queries.ts'
import { channelsNamed, summaryOf } from './model/listed-channels.ts'
import type { StatusSearch } from './model/status-search.ts'

/** Cards per page. */
export const PAGE_SIZE = 6

export interface StatusPage {
  readonly channels: readonly ChannelStatus[]
  /** Channels that match the search. */
  readonly total: number
  /** All channels, regardless of the search. */
  readonly summary: ChannelSummary
}

/** The plain list of channels, for computations over all of them. */
function statusRowsQuery(call: Call, { p, size }: { readonly p: number; readonly size: number }) {
  return {
    queryKey: ['status', 'rows', p, size],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
      pageOf(successOf(await call(statusOfChannels, { query: { p: String(p), size: String(size) }, signal }))),
  }
}

export function channelStatusQuery(call: Call, { p, keyword, range }: StatusSearch): QuerySpec<StatusPage> {
  return {
    queryKey: ['status', 'channels', { p, keyword, range }],
    queryFn: async ({ signal }) => {
      const query = { p: String(p), size: String(PAGE_SIZE), keyword, range }
      const { data, total, extra } = successOf(await call(statusOfChannels, { query, signal }))
      if (extra.summary !== undefined) return { channels: data, total, summary: extra.summary }
      // A server without a summary does not support search either: both are done here, over everything that it lists.
      const all = await everyRow((page) => statusRowsQuery(call, page), signal)
      const found = channelsNamed(all, keyword)
      return { channels: found.slice(p * PAGE_SIZE, (p + 1) * PAGE_SIZE), total: found.length, summary: summaryOf(all) }
    },
  }
}
