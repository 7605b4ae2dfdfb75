import * as v from 'valibot'
import { unixSeconds } from './scalars.ts'

/**
 * The share of a channel's recent calls that it answered, visible to everyone: only shares, so no bar shows how much the channel is
 * used.
 */
export const channelHistory = v.object({
  /** When the first bar begins. */
  from: unixSeconds,
  /** Length of a bar in seconds. */
  step: v.number(),
  /** Share of the calls that were answered, in thousandths, rounded down; the oldest bar first. null: no calls. */
  bars: v.array(v.nullable(v.number())),
  /** The same for all bars together. */
  answered: v.nullable(v.number()),
})
export type ChannelHistory = v.InferOutput<typeof channelHistory>
