import * as v from 'valibot'
import { rowId } from './row-id.ts'
import { unixMs } from './scalars.ts'

/**
 * Why a channel, or one of its keys, could not be called: disabled, auto_disabled, paused → by its own state · unusable → its
 * settings or its key cannot be read · key_disabled → this key is switched off · not_served → the call cannot be made there ·
 * price_missing → it could not be charged · credential_missing → it needs a key of the caller · credential_not_taken → the caller's
 * key is not sent there · limited, account, unknown_model, failing → it is in cooldown, until `until` · probing → its cooldown is
 * over and another request is trying it right now · spare → it could serve, but the number of tries is limited
 */
export const EXCLUSIONS = [
  'disabled',
  'auto_disabled',
  'paused',
  'unusable',
  'key_disabled',
  'not_served',
  'price_missing',
  'credential_missing',
  'credential_not_taken',
  'limited',
  'account',
  'unknown_model',
  'failing',
  'probing',
  'spare',
] as const
export type Exclusion = (typeof EXCLUSIONS)[number]

/** Why a lane is in cooldown: the provider asked for it, refuses the key, does not know the model, or fails too often. */
export const COOLDOWN_CAUSES = ['limited', 'account', 'unknown_model', 'failing'] as const
export type CooldownCause = (typeof COOLDOWN_CAUSES)[number]

/** A channel with one of its keys, as routing considered it. */
export const consideredLane = v.object({
  channel: v.number(),
  channel_name: v.string(),
  /** Position of the key in its channel, from 1, and the number of keys. */
  key: v.number(),
  keys: v.number(),
  /** The model it was considered for: the requested one, or a fallback. */
  model: v.string(),
  /** The group it was considered for, if the token names groups. */
  group: v.optional(v.string()),
  priority: v.number(),
  weight: v.number(),
  /** Position in the order of trying, from 1; 0 when it was left out. */
  order: v.number(),
  excluded: v.optional(v.picklist(EXCLUSIONS)),
  /**
   * The part of its load that the lane takes: below 1 after a cooldown and while its provider is silent, so that it can come after
   * channels of a lower priority.
   */
  share: v.optional(v.number()),
  /** End of its cooldown, in unix milliseconds. */
  until: v.optional(unixMs),
})
export type ConsideredLane = v.InferOutput<typeof consideredLane>

/**
 * How the route of a request was found. weight → drawn by weight · session → the conversation's own order, which keeps it where its
 * prompt is cached · pin → the request named a channel
 */
export const routingDecision = v.object({
  by: v.picklist(['weight', 'session', 'pin']),
  /** Groups that were considered, in their order, if the token names groups. */
  groups: v.optional(v.array(v.string())),
  /** Lanes in the order of trying, then those that were left out. At most 32. */
  lanes: v.array(consideredLane),
  /** How many more lanes could have served, besides those listed. */
  more: v.optional(v.number()),
})
export type RoutingDecision = v.InferOutput<typeof routingDecision>

/** A decision as it is stored, in JSON; undefined when it cannot be read or none was stored. */
export function parseRoutingDecision(text: string): RoutingDecision | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), routingDecision), text)
  return parsed.success ? parsed.output : undefined
}

/** A hypothetical request. One of `user_id`, `token_id` and `group` says whose it would be. */
export const routingQuestion = v.object({
  model: v.pipe(v.string(), v.trim(), v.minLength(1, 'Model is required'), v.maxLength(255)),
  /** Routed by the user's group. */
  user_id: v.optional(rowId),
  /** Routed by its owner's group, with the token's own rules. */
  token_id: v.optional(rowId),
  group: v.optional(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(64))),
  /** Path of the call, as clients send it. */
  path: v.optional(v.pipe(v.string(), v.trim(), v.startsWith('/'), v.maxLength(300)), '/v1/chat/completions'),
  /** Channel that the key's suffix would name. */
  channel: v.optional(rowId),
  /** The name by which the conversation is recognised; empty for none. */
  session: v.optional(v.pipe(v.string(), v.maxLength(300)), ''),
})
export type RoutingQuestion = v.InferOutput<typeof routingQuestion>

/** What would happen to a request at this moment. */
export const routingExplanation = v.object({
  /** The user's group, by which the request would be routed unless the token names groups. */
  group: v.string(),
  /** The groups by which it would be routed, in their order, if the token names groups. */
  groups: v.optional(v.array(v.string())),
  /** Groups that the token names but its owner may not use. */
  skipped_groups: v.optional(v.array(v.string())),
  /** Absent when the request would be refused before channels are looked at. */
  decision: v.optional(routingDecision),
  /** What the caller would get instead of an answer. */
  refusal: v.optional(v.object({ code: v.string(), status: v.number(), message: v.string() })),
})
export type RoutingExplanation = v.InferOutput<typeof routingExplanation>

/** The state of a lane: a channel with one of its keys and a model under the provider's name. */
export const laneHealth = v.object({
  /** A name for the key that reveals nothing about it. `caller` stands for the keys of all callers who bring their own. */
  fingerprint: v.string(),
  /** Position of the key in its channel, from 1, and the number of keys; both are 0 for callers' own keys. */
  key: v.number(),
  keys: v.number(),
  model: v.string(),
  /** `ready`: can be called · `probe`: its cooldown is over, one call may try it · `resting`: left alone until `until` */
  standing: v.picklist(['ready', 'probe', 'resting']),
  /** Share of its weight that it is trusted with, above 0 and at most 1; 0 unless it is ready. */
  worth: v.number(),
  cause: v.optional(v.picklist(COOLDOWN_CAUSES)),
  until: v.optional(unixMs),
  /** 0 to 1, recently. */
  failure_rate: v.number(),
  /** Milliseconds, from recent calls; absent before the first answer. */
  first_byte_ms: v.optional(v.number()),
  /** Calls in progress. */
  open: v.number(),
  /** Calls since the process began. */
  answered: v.number(),
  failed: v.number(),
  /**
   * How much of the key's account windows is used, as reported by the provider, and when they reset. Absent if it reports nothing.
   */
  windows: v.optional(v.array(v.object({ name: v.string(), used: v.number(), resets_at: unixMs }))),
})
export type LaneHealth = v.InferOutput<typeof laneHealth>

/**
 * The state of a channel, the worst first: resting → all its lanes are in cooldown · part_resting → some are · failing → recent
 * calls fail · recovering → a cooldown is over, and it must prove itself · slow → first bytes are late · healthy
 */
export const CHANNEL_CONDITIONS = ['resting', 'part_resting', 'failing', 'recovering', 'slow', 'healthy'] as const
export type ChannelCondition = (typeof CHANNEL_CONDITIONS)[number]

/** The health of a recently called channel, as known to the replica that answers. */
export const channelHealth = v.object({
  channel: rowId,
  channel_name: v.string(),
  condition: v.picklist(CHANNEL_CONDITIONS),
  /** When the first of the cooldowns ends, in unix milliseconds. */
  until: v.optional(unixMs),
  /** How many lanes there are, and how many of them are in cooldown. */
  lane_count: v.number(),
  resting: v.number(),
  /** Over all lanes, weighted by their calls: 0 to 1. */
  failure_rate: v.number(),
  /** Of the slowest lane; absent before the first answer. */
  first_byte_ms: v.optional(v.number()),
  open: v.number(),
  /** Worst first. At most 5 per channel in the list of all channels, 500 when one channel is requested. */
  lanes: v.array(laneHealth),
})
export type ChannelHealth = v.InferOutput<typeof channelHealth>
