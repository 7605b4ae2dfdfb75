import * as v from 'valibot'
import { defineRoute } from '../route.ts'
import { channelHealth, routingExplanation, routingQuestion } from '../routing.ts'
import { filterInt, unixMs } from '../scalars.ts'

export const explainRouting = defineRoute({
  method: 'POST',
  path: '/api/channel/explain',
  access: 'channels.manage',
  changes: false,
  summary: 'Which channels a request would be sent to, and why; nothing is sent and nothing changes',
  body: routingQuestion,
  data: routingExplanation,
})
export const listChannelHealth = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/channel/health',
  access: 'channels.manage',
  summary: 'Health of the channels that were called recently',
  /** One channel with all its lanes; 0 or absent for all channels, each with its worst lanes. */
  query: v.object({ channel: filterInt }),
  data: v.array(channelHealth),
  /** The gateway's clock, on which the ends of cooldowns are based. */
  extra: v.object({ now: unixMs }),
})
export const forgetChannelHealth = defineRoute({
  method: 'POST',
  path: '/api/channel/:id/health/forget',
  access: 'channels.manage',
  summary: 'End a channel’s cooldowns and clear its record, so that it gets requests again at once',
})
