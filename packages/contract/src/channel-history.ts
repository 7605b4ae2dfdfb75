import * as v from 'valibot'
import { unixSeconds } from './scalars.ts'

/**
 * The share of a channel's recent calls that it answered, visible to everyone: only shares, so no bar shows how much the channel is
 * used.
 */
export const channelHistory = v.object({
  from: unixSeconds,
  /** Bar length in seconds. */
  step: v.number(),
  /** Share of calls answered, in thousandths, rounded down; oldest bar first; null without calls. */
  bars: v.array(v.nullable(v.number())),
  /** The same for the whole range. */
  answered: v.nullable(v.number()),
})
export type ChannelHistory = v.InferOutput<typeof channelHistory>
