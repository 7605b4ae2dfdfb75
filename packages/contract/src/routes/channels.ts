import * as v from 'valibot'
import { whenAbsent } from '../absence.ts'
import {
  channel,
  CHANNEL_KEY_STATUS,
  channelCreate,
  channelDraft,
  channelJob,
  channelKey,
  channelPricing,
  channelPricingUpdate,
  channelStatusUpdate,
  channelUpdate,
} from '../channel.ts'
import { defineRoute } from '../route.ts'
import { rowId } from '../row-id.ts'
import { pageQuery, queryInt, searchQuery, statusOnly } from '../scalars.ts'

/** Number of given keys that were dropped because they were repeated or the channel already has them. */
const duplicateKeys = whenAbsent(v.number(), 0)

export const listChannels = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/channel/',
  access: 'channels.manage',
  summary: 'List channels',
  query: v.object(pageQuery),
  data: v.array(channel),
  paged: true,
})
export const searchChannels = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/channel/search',
  access: 'channels.manage',
  summary: 'Search channels by id or the start of their name',
  query: v.object(searchQuery),
  data: v.array(channel),
  paged: true,
})
export const getChannel = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/channel/:id',
  access: 'channels.manage',
  summary: 'One channel',
  data: channel,
})
export const createChannel = defineRoute({
  method: 'POST',
  path: '/api/channel/',
  access: 'channels.manage',
  summary: 'Create one channel per line of the key, or one of all lines with keys_in_one',
  body: channelCreate,
  /** In the order of the keys. */
  data: v.array(rowId),
  extra: v.object({ duplicate_keys: duplicateKeys }),
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
  confirmed: true,
  extra: v.object({ duplicate_keys: duplicateKeys }),
})
/** Keys are addressed by fingerprint. */
const fingerprint = '[0-9a-f]{12,64}'
export const listChannelKeys = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/channel/:id/keys',
  access: 'channels.manage',
  summary: 'The keys of a channel, by their fingerprints',
  data: v.array(channelKey),
})
export const setChannelKeyStatus = defineRoute({
  method: 'PUT',
  path: '/api/channel/:id/keys/:fingerprint',
  access: 'channels.manage',
  summary: 'Enable or disable one key of a channel',
  params: { fingerprint },
  body: v.object({
    status: v.picklist([CHANNEL_KEY_STATUS.enabled, CHANNEL_KEY_STATUS.disabled], 'Status must be 1 (on) or 2 (off)'),
  }),
})
export const deleteChannelKey = defineRoute({
  method: 'DELETE',
  path: '/api/channel/:id/keys/:fingerprint',
  access: 'channels.manage',
  summary: 'Delete one key of a channel',
  params: { fingerprint },
})
export const duplicateChannel = defineRoute({
  method: 'POST',
  path: '/api/channel/:id/duplicate',
  access: 'channels.manage',
  summary: 'Copy a channel with its key, without its history',
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
  summary: 'Delete every disabled channel; returns how many',
  data: v.number(),
})
export const testChannel = defineRoute({
  method: 'GET',
  changes: true,
  path: '/api/channel/test/:id',
  access: 'channels.manage',
  reportsOutcome: true,
  summary: 'Send one short request through a channel',
  query: v.object({ model: v.optional(v.string()) }),
  extra: v.object({ time: v.number(), modelName: v.string() }),
})
export const testChannelDraft = defineRoute({
  method: 'POST',
  path: '/api/channel/test',
  access: 'channels.manage',
  reportsOutcome: true,
  summary: 'Send one short request through an unsaved channel from a form',
  body: channelDraft,
  /** `time` in seconds. */
  extra: v.object({ time: v.number(), modelName: v.string() }),
})
export const fetchProviderModels = defineRoute({
  method: 'POST',
  path: '/api/channel/fetch_models',
  access: 'channels.manage',
  summary: 'Fetch a provider’s model names through an unsaved channel from a form',
  body: channelDraft,
  data: v.array(v.string()),
})
/** GET, for compatibility with the family. */
export const fetchModelsOfChannel = defineRoute({
  method: 'GET',
  changes: true,
  path: '/api/channel/fetch_models/:id',
  access: 'channels.manage',
  summary: 'Fetch a provider’s model names through a stored channel',
  data: v.array(v.string()),
})
export const testAllChannels = defineRoute({
  method: 'GET',
  changes: true,
  path: '/api/channel/test',
  access: 'channels.manage',
  summary: 'Test channels in the background',
  query: v.object({ scope: v.optional(v.picklist(['all', 'disabled']), 'all') }),
})
export const channelTestStatus = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/channel/test/status',
  access: 'channels.manage',
  summary: 'Progress of the test of all channels',
  data: channelJob,
})
export const stopChannelTest = defineRoute({
  method: 'POST',
  path: '/api/channel/test/stop',
  access: 'channels.manage',
  summary: 'Stop the test of all channels, whichever replica runs it',
  data: channelJob,
})
export const updateChannelBalance = defineRoute({
  method: 'GET',
  changes: true,
  path: '/api/channel/update_balance/:id',
  access: 'channels.manage',
  summary: 'Update the balance of the account behind a channel',
  /** `balance` in `currency`. */
  extra: v.object({ balance: v.number(), currency: v.string() }),
})
export const updateAllBalances = defineRoute({
  method: 'GET',
  changes: true,
  path: '/api/channel/update_balance',
  access: 'channels.manage',
  summary: 'Update the balances of all enabled channels whose provider reports one, in the background',
})
export const channelBalanceStatus = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/channel/update_balance/status',
  access: 'channels.manage',
  summary: 'Progress of the update of all balances',
  data: channelJob,
})
export const stopChannelBalance = defineRoute({
  method: 'POST',
  path: '/api/channel/update_balance/stop',
  access: 'channels.manage',
  summary: 'Stop the update of all balances, whichever replica runs it',
  data: channelJob,
})
export const channelMetadata = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/channel/metadata',
  access: 'channels.manage',
  summary: 'Defaults of a channel type',
  query: v.object({ type: queryInt }),
  data: v.object({
    default_base_url: v.string(),
    base_url_editable: whenAbsent(v.boolean(), true),
    /** Endpoints for which such a channel is used. */
    default_endpoints: v.array(v.string()),
    all_endpoints: v.array(v.object({ id: v.number(), name: v.string(), description: v.string(), path: v.string() })),
    /** Whether requests can be relayed to this type; channels of other types can only be stored. */
    servable: whenAbsent(v.boolean(), true),
    has_balance: v.boolean(),
    has_model_list: v.boolean(),
  }),
})
export const channelDefaultPricing = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/channel/default-pricing',
  access: 'channels.manage',
  summary: 'Default prices of a channel type, as JSON strings',
  query: v.object({ type: queryInt }),
  data: channelPricing,
})
export const getChannelPricing = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/channel/pricing/:id',
  access: 'channels.manage',
  summary: 'Prices of a channel, as JSON strings',
  data: channelPricing,
})
export const updateChannelPricing = defineRoute({
  method: 'PUT',
  path: '/api/channel/pricing/:id',
  access: 'channels.manage',
  summary: 'Set prices of a channel',
  body: channelPricingUpdate,
  data: channelPricing,
})
export const listAllModels = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/channel/models',
  access: 'channels.manage',
  summary: 'Every known model with the channel type it belongs to',
  data: v.array(v.object({ id: v.string(), object: v.literal('model'), owned_by: v.string() })),
})
export const enabledModels = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/channel/models_enabled',
  access: 'channels.manage',
  summary: 'Names of the models of all enabled channels, sorted',
  data: v.array(v.string()),
})
export const modelsByType = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/models',
  access: 'channels.manage',
  summary: 'Known model names by channel type code',
  data: v.record(v.string(), v.array(v.string())),
})
