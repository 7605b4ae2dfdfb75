import * as v from 'valibot'
import { defineRoute } from '../route.ts'
import { runningCall } from '../running-call.ts'

const stop = {
  body: v.object({ request_id: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/, 'must be the id of a request')) }),
} as const

/**
 * With `Accept: text/event-stream` the two lists are streams of events: `{"data": […]}` whenever the list has changed, at most once a
 * second, and an event `end` when the caller is signed out.
 */
export const listRunningCalls = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/log/in-flight',
  access: 'logs.all',
  summary:
    'Calls that run now, of all users and on all replicas, oldest first; as events with `Accept: text/event-stream`',
  data: v.array(runningCall),
})
export const listOwnRunningCalls = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/log/self/in-flight',
  access: 'logs.own',
  summary: 'Own calls that run now; as events with `Accept: text/event-stream`',
  data: v.array(runningCall),
})
export const stopRunningCall = defineRoute({
  method: 'POST',
  path: '/api/log/in-flight/stop',
  access: 'logs.all',
  summary: "Stop a call that runs: its provider's call ends, and what had arrived is charged",
  ...stop,
})
export const stopOwnRunningCall = defineRoute({
  method: 'POST',
  path: '/api/log/self/in-flight/stop',
  access: 'logs.own',
  summary: 'Stop an own call that runs',
  ...stop,
})
