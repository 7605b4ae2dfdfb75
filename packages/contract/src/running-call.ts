import * as v from 'valibot'
import { exactQuota, unixMs, wholeQuota } from './scalars.ts'

export const RUNNING_STAGES = ['waiting', 'asking', 'streaming'] as const

/** A relayed call that runs now. */
export const runningCall = v.object({
  request_id: v.string(),
  user_id: v.number(),
  username: v.string(),
  token_name: v.string(),
  /** As requested. */
  model_name: v.string(),
  /** The channel that it was sent to last; 0 before. Hidden (0, '') from callers without `logs.all`. */
  channel: v.number(),
  channel_name: v.string(),
  /** waiting → for its turn or its hold · asking → a provider has it · streaming → its answer arrives */
  stage: v.picklist(RUNNING_STAGES),
  is_stream: v.boolean(),
  started: unixMs,
  /** Of the answer, estimated from the text that has arrived; 0 for an answer that comes whole. */
  tokens: v.number(),
  /** What would be charged if it ended now, by the same estimate; 0 before anything has arrived. */
  quota: wholeQuota,
  quota_exact: exactQuota,
  /** Digest of the session that the client named; empty when it named none. */
  session: v.string(),
})
export type RunningCallOnWire = v.InferOutput<typeof runningCall>
