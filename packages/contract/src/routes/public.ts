import * as v from 'valibot'
import { usableGroups } from '../groups.ts'
import { HISTORY_RANGES } from '../history-range.ts'
import { channelStatus, channelSummary, priceList } from '../price-list.ts'
import { ratioConfig as ratioConfigData, ratioPrice, ratioPriceGroups } from '../price-ratios.ts'
import { defineRoute } from '../route.ts'
import { keyword, pageQuery, pageSize } from '../scalars.ts'

export const modelsDisplay = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/models/display',
  access: 'optional',
  summary:
    'Models and list prices by channel: for guests all enabled channels, for users those of the groups that they can use',
  /** `group` limits the list to what the group serves; it is empty for a group that the caller cannot use. */
  query: v.object({ keyword, q: keyword, group: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(64)), '') }),
  data: priceList,
  /** The caller's usable groups; each charges the list price times its ratio. */
  extra: v.object({ groups: v.optional(usableGroups, {}) }),
})
export const pricing = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/pricing',
  access: 'optional',
  summary: 'The same prices in New API’s format, one per model, taken from the channel that is tried first',
  data: v.array(ratioPrice),
  extra: ratioPriceGroups,
})
export const ratioConfig = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/ratio_config',
  access: 'optional',
  summary: 'The same ratios by model',
  data: ratioConfigData,
})
/** Tools of MCP servers: always empty, so that clients' pages for them show an empty list instead of an error. */
export const toolsDisplay = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/tools/display',
  access: 'public',
  summary: 'Always an empty list, because this gateway runs no tools of its own',
  data: v.array(v.object({ server: v.object({ name: v.string() }), tools: v.array(v.object({ name: v.string() })) })),
})
export const statusOfChannels = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/status/channel',
  access: 'public',
  summary: 'Status of the channels, newest first, with a summary of all of them; can be searched by part of a name',
  query: v.object({
    p: pageQuery.p,
    size: pageSize(6),
    keyword,
    /** Adds the outcomes of each channel's calls in this range. */
    range: v.optional(v.picklist(HISTORY_RANGES)),
  }),
  data: v.array(channelStatus),
  paged: true,
  /** If absent, clients count the listed channels. */
  extra: v.object({ summary: v.optional(channelSummary) }),
})
