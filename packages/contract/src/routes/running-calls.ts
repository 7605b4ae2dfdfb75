import * as v from 'valibot'
import { defineRoute } from '../route.ts'
import { exactQuota, unixMs, wholeQuota } from '../scalars.ts'

export const RUNNING_STAGES = ['waiting', 'asking', 'streaming'] as const

export const runningCall = v.object({
  request_id: v.string(),
  user_id: v.number(),
  username: v.string(),
  token_name: v.string(),
  model_name: v.string(),
  /** The last channel that it was sent to; 0 before. Hidden (0, '') from callers without `logs.all`. */
  channel: v.number(),
  channel_name: v.string(),
  /** `waiting`: for its turn or its hold · `asking`: a provider has it · `streaming`: its answer is arriving */
  stage: v.picklist(RUNNING_STAGES),
  is_stream: v.boolean(),
  started: unixMs,
  /** Answer tokens, estimated from the text so far; 0 for an answer that is not streamed. */
  tokens: v.number(),
  /** Estimated charge if the call ended now; 0 before anything has arrived. */
  quota: wholeQuota,
  quota_exact: exactQuota,
  /** Digest of the session that the client named; empty for none. */
  session: v.string(),
})
export type RunningCallOnWire = v.InferOutput<typeof runningCall>

const stop = {
  body: v.object({ request_id: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/, 'must be the id of a request')) }),
} as const

/** The gateway's clock, on which the starts of calls are based. */
const extra = v.object({ now: unixMs })

/**
 * With `Accept: text/event-stream` the two lists are event streams: `{"data": […], "now": …}` whenever the list has changed, at
 * most once a second, and an event `end` when the caller is signed out.
 */
export const listRunningCalls = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/log/in-flight',
  access: 'logs.all',
  summary: 'Running calls of all users on all replicas, oldest first; as events with `Accept: text/event-stream`',
  data: v.array(runningCall),
  extra,
})
export const listOwnRunningCalls = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/log/self/in-flight',
  access: 'logs.own',
  summary: 'One’s own running calls; as events with `Accept: text/event-stream`',
  data: v.array(runningCall),
  extra,
})
export const stopRunningCall = defineRoute({
  method: 'POST',
  path: '/api/log/in-flight/stop',
  access: 'logs.all',
  summary: "Stop a running call: the provider's call ends, and the part that had arrived is charged",
  ...stop,
})
export const stopOwnRunningCall = defineRoute({
  method: 'POST',
  path: '/api/log/self/in-flight/stop',
  access: 'logs.own',
  summary: 'Stop one of one’s own running calls',
  ...stop,
})
