import * as v from 'valibot'
import { channel, channelCreate, channelStatusUpdate, channelUpdate } from '../channel.ts'
import { defineRoute } from '../route.ts'
import { keyword, pageQuery, queryInt, rowId, statusOnly } from '../scalars.ts'

export const CHANNEL_SORTS = [
  'id',
  'name',
  'type',
  'status',
  'response_time',
  'test_time',
  'priority',
  'weight',
  'used_quota',
  'created_time',
] as const

export const listChannels = defineRoute({
  method: 'GET',
  path: '/api/channel/',
  access: 'channels.manage',
  summary: 'List channels',
  query: v.object(pageQuery),
  data: v.array(channel),
  paged: true,
})
export const searchChannels = defineRoute({
  method: 'GET',
  path: '/api/channel/search',
  access: 'channels.manage',
  summary: 'Search channels by id or the start of their name',
  query: v.object({ ...pageQuery, keyword }),
  data: v.array(channel),
  paged: true,
})
export const getChannel = defineRoute({
  method: 'GET',
  path: '/api/channel/:id',
  access: 'channels.manage',
  summary: 'One channel',
  data: channel,
})
export const createChannel = defineRoute({
  method: 'POST',
  path: '/api/channel/',
  access: 'channels.manage',
  summary: 'Create one channel per line of the key',
  body: channelCreate,
  /** Ids of the new channels, in the order of the keys. */
  data: v.array(rowId),
})
export const updateChannel = defineRoute({
  method: 'PUT',
  path: '/api/channel/',
  access: 'channels.manage',
  summary: 'Update a channel, or only the status with status_only',
  query: v.object({ status_only: statusOnly }),
  body: channelUpdate,
  statusBody: channelStatusUpdate,
  data: channel,
})
export const deleteChannel = defineRoute({
  method: 'DELETE',
  path: '/api/channel/:id',
  access: 'channels.manage',
  summary: 'Delete a channel',
})
export const deleteDisabledChannels = defineRoute({
  method: 'DELETE',
  path: '/api/channel/disabled',
  access: 'channels.manage',
  summary: 'Delete every disabled channel; answers how many',
  data: v.number(),
})
export const testChannel = defineRoute({
  method: 'GET',
  path: '/api/channel/test/:id',
  access: 'channels.manage',
  stateChanging: true,
  summary: 'Send one short request through a channel',
  query: v.object({ model: v.optional(v.string()) }),
  /** `time` in seconds. */
  extra: v.object({ time: v.number(), modelName: v.string() }),
})
export const testAllChannels = defineRoute({
  method: 'GET',
  path: '/api/channel/test',
  access: 'channels.manage',
  stateChanging: true,
  summary: 'Test channels in the background',
  query: v.object({ scope: v.optional(v.picklist(['all', 'disabled']), 'all') }),
})
export const channelMetadata = defineRoute({
  method: 'GET',
  path: '/api/channel/metadata',
  access: 'channels.manage',
  summary: 'Defaults of a channel type',
  query: v.object({ type: queryInt }),
  data: v.object({ default_base_url: v.string(), base_url_editable: v.boolean() }),
})
export const channelDefaultPricing = defineRoute({
  method: 'GET',
  path: '/api/channel/default-pricing',
  access: 'channels.manage',
  summary: 'Default model configs of a channel type, as JSON text',
  query: v.object({ type: queryInt }),
  data: v.object({ model_configs: v.string() }),
})
export const modelsByType = defineRoute({
  method: 'GET',
  path: '/api/models',
  access: 'channels.manage',
  summary: 'Known model names by channel type code',
  data: v.record(v.string(), v.array(v.string())),
})
