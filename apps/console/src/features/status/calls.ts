import type { ChannelStatus, ChannelSummary } from '@sluice/contract/price-list'
import { statusOfChannels } from '@sluice/contract/routes/public'
import { type Call, successOf } from '~/lib/http/call.ts'
import { everyRow, pageOf } from '~/lib/list/list-query.ts'
import type { QuerySpec } from '~/lib/query/queries.ts'
import { healthState } from './model/health-state.ts'
import type { StatusSearch } from './model/status-search.ts'

export const PAGE_SIZE = 6

export interface StatusPage {
  readonly channels: readonly ChannelStatus[]
  readonly total: number
  /** Of all channels, regardless of the search. */
  readonly summary: ChannelSummary
}

/** For servers that leave search and summary to the console. */
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
      // A server without a summary does not support search either, so both are done here, over everything that it lists.
      const all = await everyRow((page) => statusRowsQuery(call, page), signal)
      const found = channelsNamed(all, keyword)
      return { channels: found.slice(p * PAGE_SIZE, (p + 1) * PAGE_SIZE), total: found.length, summary: summaryOf(all) }
    },
  }
}

/** Ignores case; all channels for an empty text. */
export function channelsNamed(channels: readonly ChannelStatus[], text: string): readonly ChannelStatus[] {
  const wanted = text.trim().toLowerCase()
  return channels.filter(({ name }) => name.toLowerCase().includes(wanted))
}

export function summaryOf(channels: readonly ChannelStatus[]): ChannelSummary {
  const states = Map.groupBy(channels, healthState)
  const count = (state: ReturnType<typeof healthState>) => states.get(state)?.length ?? 0
  const times = (states.get('enabled') ?? []).map(({ response }) => response.response_time_ms).filter((ms) => ms > 0)
  return {
    channels: channels.length,
    enabled: count('enabled'),
    manually_disabled: count('manually_disabled'),
    auto_disabled: count('auto_disabled'),
    average_response_ms: times.length === 0 ? 0 : Math.round(times.reduce((sum, ms) => sum + ms, 0) / times.length),
  }
}
