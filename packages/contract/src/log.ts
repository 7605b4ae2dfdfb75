import * as v from 'valibot'
import { essential, whenAbsent } from './absence.ts'
import { LOG_COLUMNS, type LogParts } from './fields/log.ts'
import { COOLDOWN_CAUSES, routingDecision } from './routing.ts'
import { exactQuota, unixMs, unixSeconds, wholeQuota } from './scalars.ts'

/** On the wire; 0 in a filter means all. */
export const LOG_TYPE = { all: 0, topup: 1, consume: 2, management: 3, system: 4, test: 5 } as const

const SCHEMAS: Readonly<Record<string, v.GenericSchema>> = {
  text: v.string(),
  flag: v.boolean(),
  number: v.number(),
  seconds: unixSeconds,
}

/* @__NO_SIDE_EFFECTS__ */
function columnsIn<Part extends keyof LogParts>(part: Part) {
  const shown = LOG_COLUMNS.filter((column) => column.part === part)
  return Object.fromEntries(shown.map(({ shownAs, kind }) => [shownAs, SCHEMAS[kind]])) as {
    readonly [Name in keyof LogParts[Part]]: v.GenericSchema<LogParts[Part][Name]>
  }
}

export const log = v.object({
  /** Exceeds the 32 bits of other ids. */
  id: essential(v.pipe(v.number(), v.integer(), v.minValue(1))),
  ...columnsIn('request'),
  quota: wholeQuota,
  quota_exact: exactQuota,
  ...columnsIn('tokens'),
  cached_completion_tokens: v.number(),
  /** 0 when the row belongs to no channel. Hidden (0, '') from callers without `logs.all`. */
  channel: whenAbsent(v.number(), 0),
  channel_name: v.string(),
  request_id: v.string(),
  /** Empty when the row has no trace. */
  trace_id: v.string(),
  ...columnsIn('answer'),
  metadata: v.object({
    cache_write_tokens: v.optional(
      v.object({ ephemeral_5m: v.optional(v.number()), ephemeral_1h: v.optional(v.number()) }),
    ),
    ...v.partial(v.object(columnsIn('metadata'))).entries,
  }),
})
export type Log = v.InferOutput<typeof log>

/** Unix milliseconds by stage; absent if the request never reached it. */
const traceTimestamps = v.object({
  request_received: v.number(),
  request_forwarded: v.optional(v.number()),
  first_upstream_response: v.optional(v.number()),
  first_client_response: v.optional(v.number()),
  upstream_completed: v.optional(v.number()),
  request_completed: v.optional(v.number()),
})
/** Milliseconds; present only if both stages were reached. */
const traceDurations = v.object({
  processing_time: v.optional(v.number()),
  upstream_response_time: v.optional(v.number()),
  response_processing_time: v.optional(v.number()),
  streaming_time: v.optional(v.number()),
  total_time: v.optional(v.number()),
})
export const traceAttempt = v.object({
  channel: v.number(),
  channel_name: v.string(),
  /** Milliseconds after `request_received`. */
  started: v.number(),
  ended: v.number(),
  /** Upstream HTTP status; 0 when no answer arrived. */
  status: v.number(),
  /** Empty on success, otherwise a code of the error catalogue. */
  error: v.string(),
  /** Position of the channel's key, from 1; absent if it has only one. */
  key: v.optional(v.number()),
  /** Fingerprint of the caller's own key, if it replaced the channel's. */
  caller_key: v.optional(v.string()),
  group: v.optional(v.string()),
  transport: v.optional(v.literal('websocket')),
  /** What the attempt revealed about the lane; absent in older rows. */
  cause: v.optional(
    v.picklist(['answered', 'limited', 'account', 'unknown_model', 'provider', 'request', 'setup', 'stopped']),
  ),
  /** The provider's words, if they were withheld from the caller because they concern the operator's account. Contains no key. */
  said: v.optional(v.string()),
  rest: v.optional(v.object({ cause: v.picklist(COOLDOWN_CAUSES), until: unixMs })),
})
export type TraceAttempt = v.InferOutput<typeof traceAttempt>

/** Returns no attempts for unreadable text. */
export function parseAttempts(text: string): TraceAttempt[] {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), v.array(traceAttempt)), text)
  return parsed.success ? parsed.output : []
}

export const trace = v.object({
  trace_id: v.string(),
  url: v.string(),
  method: v.string(),
  status: v.number(),
  body_size: v.number(),
  created_at: v.number(),
  timestamps: traceTimestamps,
  durations: traceDurations,
  attempts: v.array(traceAttempt),
  /** Only for administrators, and only if there was a decision to make. */
  routing: v.optional(routingDecision),
  /** Id 0 if the request was not charged and has no row. */
  log: v.object({ id: v.number(), username: v.string(), type: v.number(), content: v.string() }),
})
export type Trace = v.InferOutput<typeof trace>
