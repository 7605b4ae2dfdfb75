import * as v from 'valibot'
import { unixSeconds } from './scalars.ts'

/** How much of what a channel was asked lately it answered, for everybody to see: shares only, so no bar tells how much it is used. */
export const channelHistory = v.object({
  /** Begin of the first bar. */
  from: unixSeconds,
  /** Seconds of a bar. */
  step: v.number(),
  /** Share of the calls that were answered, in thousandths, rounded down; the oldest bar first. null: no calls. */
  bars: v.array(v.nullable(v.number())),
  /** The same of all bars together. */
  answered: v.nullable(v.number()),
})
export type ChannelHistory = v.InferOutput<typeof channelHistory>
