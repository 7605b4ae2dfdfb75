import * as v from 'valibot'
import { HISTORY_RANGES } from '../history-range.ts'
import { channelStatus, channelSummary, priceList } from '../price-list.ts'
import { defineRoute } from '../route.ts'
import { keyword, pageQuery, pageSize } from '../scalars.ts'

export const modelsDisplay = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/models/display',
  access: 'optional',
  summary: 'Models and prices by channel: all enabled ones for guests, those of the own group for users',
  query: v.object({ keyword, q: keyword }),
  data: priceList,
})
export const statusOfChannels = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/status/channel',
  access: 'public',
  summary: 'How the channels are doing, newest first, and all of them at a glance; found by a part of their name',
  query: v.object({
    p: pageQuery.p,
    size: pageSize(6),
    keyword,
    /** Adds what became of the calls to each channel in this time. */
    range: v.optional(v.picklist(HISTORY_RANGES)),
  }),
  data: v.array(channelStatus),
  paged: true,
  /** Without it the cards count what was listed. */
  extra: v.object({ summary: v.optional(channelSummary) }),
})
