import type { Channel, ChannelJob, ChannelKey } from '@sluice/contract/channel'
import type { Trace } from '@sluice/contract/log'
import {
  channelBalanceStatus,
  channelMetadata,
  channelTestStatus,
  deleteChannel,
  getChannel,
  listChannelKeys,
  listChannels,
  modelsByType,
  searchChannels,
  updateChannel,
} from '@sluice/contract/routes/channels'
import { traceOfRequest } from '@sluice/contract/routes/logs'
import { explainRouting, listChannelHealth } from '@sluice/contract/routes/routing'
import { listGroups } from '@sluice/contract/routes/users'
import type { ChannelHealth, RoutingExplanation } from '@sluice/contract/routing'
import { type Call, successOf } from '~/lib/http/call.ts'
import { type ListPage, listQuery, type RowSearch, suggestionQuery, suggestionsOf } from '~/lib/list/list-query.ts'
import type { RowCalls } from '~/lib/list/row-calls.ts'
import type { QuerySpec } from '~/lib/query/queries.ts'
import { onOwnClock } from './model/channel-health.ts'
import { explainBody } from './model/explain-question.ts'
import type { ExplainSearch } from './model/explain-search.ts'

/** One page of channels; with a keyword, only those whose name starts with it or whose id it is. */
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

/** Channels whose name starts with the text or whose id it is; `undefined` when the call failed. */
export async function suggestChannels(call: Call, text: string, signal: AbortSignal) {
  const reply = await call(searchChannels, { query: suggestionQuery(text), signal })
  return suggestionsOf(reply, ({ id, name }) => ({ id: String(id), label: name, hint: `#${id}` }))
}

/** One channel, without its key. */
export function channelQuery(call: Call, id: number): QuerySpec<Channel> {
  return {
    queryKey: ['channels', 'one', id],
    queryFn: async ({ signal }) =>
      successOf(await call(getChannel, { params: { id }, signal }), 'Failed to load channel').data,
  }
}

export function channelChanges(call: Call): RowCalls<Channel> {
  return {
    setStatus: ({ id }, status) => call(updateChannel, { query: { status_only: '1' }, body: { id, status } }),
    remove: ({ id }) => call(deleteChannel, { params: { id } }),
  }
}

/** Provider data changes only with a release of the gateway. */
const PROVIDERS_FRESH_MS = 600_000

export type KnownModels = Readonly<Record<string, readonly string[]>>

/** Model names by channel-type code. */
export function knownModelsQuery(call: Call): QuerySpec<KnownModels> {
  return {
    queryKey: ['channel-choices', 'models'],
    queryFn: async ({ signal }) => successOf(await call(modelsByType, { signal })).data,
    staleTime: PROVIDERS_FRESH_MS,
  }
}

export function groupNamesQuery(call: Call): QuerySpec<readonly string[]> {
  return {
    queryKey: ['channel-choices', 'groups'],
    queryFn: async ({ signal }) => successOf(await call(listGroups, { signal })).data,
  }
}

/** Empty when the type has no default address. */
export function defaultBaseUrlQuery(call: Call, type: number): QuerySpec<string> {
  return {
    queryKey: ['channel-choices', 'base-url', type],
    queryFn: async ({ signal }) =>
      successOf(await call(channelMetadata, { query: { type: String(type) }, signal })).data.default_base_url,
    staleTime: PROVIDERS_FRESH_MS,
  }
}

/** By fingerprint, in the order in which the keys were given. */
export function channelKeysQuery(call: Call, id: number): QuerySpec<readonly ChannelKey[]> {
  return {
    queryKey: ['channels', 'keys', id],
    queryFn: async ({ signal }) => successOf(await call(listChannelKeys, { params: { id }, signal })).data,
  }
}

export const CHANNEL_HEALTH = ['channel-health']

/**
 * Channels that recently received requests; cooldown ends are on this machine's clock. `channel` 0 returns all channels with their
 * worst lanes, any other id that channel with all its lanes.
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

/** The test of all channels that is running, or the last one. */
export function testJobQuery(call: Call): QuerySpec<ChannelJob> {
  return {
    queryKey: ['channel-jobs', 'test'],
    queryFn: async ({ signal }) => successOf(await call(channelTestStatus, { signal })).data,
  }
}

export function balanceJobQuery(call: Call): QuerySpec<ChannelJob> {
  return {
    queryKey: ['channel-jobs', 'balance'],
    queryFn: async ({ signal }) => successOf(await call(channelBalanceStatus, { signal })).data,
  }
}

/** How a request would be routed; nothing is sent. */
export function explainQuery(call: Call, search: ExplainSearch): QuerySpec<RoutingExplanation> {
  return {
    queryKey: ['routing-explained', search],
    queryFn: async ({ signal }) => successOf(await call(explainRouting, { body: explainBody(search), signal })).data,
  }
}

export function requestTraceQuery(call: Call, requestId: string): QuerySpec<Trace> {
  return {
    queryKey: ['request-trace', requestId],
    queryFn: async ({ signal }) =>
      successOf(await call(traceOfRequest, { params: { trace_id: requestId }, signal })).data,
  }
}
