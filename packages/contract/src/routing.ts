import * as v from 'valibot'
import { rowId } from './row-id.ts'
import { unixMs } from './scalars.ts'

/**
 * Why a channel, or one of its keys, could not be called: disabled, auto_disabled, paused → the channel's own state · unusable →
 * its settings or key cannot be read · key_disabled → this key is switched off · not_served → it does not offer the call ·
 * price_missing → the call could not be charged · credential_missing → it needs a caller's own key · credential_not_taken → the
 * caller's key is not sent there · limited, account, unknown_model, failing → in cooldown until `until` · probing → its cooldown is
 * over and another request is trying it · spare → it could serve, but the number of tries is limited
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

/** The provider asked for it, refuses the key, does not know the model, or fails too often. */
export const COOLDOWN_CAUSES = ['limited', 'account', 'unknown_model', 'failing'] as const
export type CooldownCause = (typeof COOLDOWN_CAUSES)[number]

export const consideredLane = v.object({
  channel: v.number(),
  channel_name: v.string(),
  /** The key's position in its channel, from 1, and the number of keys. */
  key: v.number(),
  keys: v.number(),
  model: v.string(),
  /** The group in question, if the token names groups. */
  group: v.optional(v.string()),
  priority: v.number(),
  weight: v.number(),
  /** Position in the order of trying, from 1; 0 if left out. */
  order: v.number(),
  excluded: v.optional(v.picklist(EXCLUSIONS)),
  /**
   * Share of its load that the lane takes: below 1 after a cooldown and while its provider is silent. Channels of a lower priority
   * can then come first.
   */
  share: v.optional(v.number()),
  /** End of the cooldown, in unix milliseconds. */
  until: v.optional(unixMs),
})
export type ConsideredLane = v.InferOutput<typeof consideredLane>

/**
 * How the route of a request was found. weight → drawn by weight · session → the conversation's own order, which keeps it where its
 * prompt is cached · pin → the request named a channel
 */
export const routingDecision = v.object({
  by: v.picklist(['weight', 'session', 'pin']),
  /** Groups considered, in their order, if the token names groups. */
  groups: v.optional(v.array(v.string())),
  /** Lanes in the order of trying, then those that were left out; at most 32. */
  lanes: v.array(consideredLane),
  more: v.optional(v.number()),
})
export type RoutingDecision = v.InferOutput<typeof routingDecision>

/** Undefined when the stored JSON is empty or cannot be read. */
export function parseRoutingDecision(text: string): RoutingDecision | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), routingDecision), text)
  return parsed.success ? parsed.output : undefined
}

/** A hypothetical request. One of `user_id`, `token_id` and `group` says whose it would be. */
export const routingQuestion = v.object({
  model: v.pipe(v.string(), v.trim(), v.minLength(1, 'Model is required'), v.maxLength(255)),
  /** Routed by the user's group. */
  user_id: v.optional(rowId),
  /** Routed by its owner's group and the token's own rules. */
  token_id: v.optional(rowId),
  group: v.optional(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(64))),
  path: v.optional(v.pipe(v.string(), v.trim(), v.startsWith('/'), v.maxLength(300)), '/v1/chat/completions'),
  /** The channel that a suffix of the key would name. */
  channel: v.optional(rowId),
  /** The name that identifies the conversation; empty for none. */
  session: v.optional(v.pipe(v.string(), v.maxLength(300)), ''),
})
export type RoutingQuestion = v.InferOutput<typeof routingQuestion>

export const routingExplanation = v.object({
  /** The user's group, which decides unless the token names groups. */
  group: v.string(),
  /** The token's groups in their order, if it names any. */
  groups: v.optional(v.array(v.string())),
  /** Groups that the token names but its owner may not use. */
  skipped_groups: v.optional(v.array(v.string())),
  /** Absent when the request would be refused before channels are considered. */
  decision: v.optional(routingDecision),
  /** What the caller would get instead of an answer. */
  refusal: v.optional(v.object({ code: v.string(), status: v.number(), message: v.string() })),
})
export type RoutingExplanation = v.InferOutput<typeof routingExplanation>

/** State of a lane: a channel with one of its keys and a model under the provider's name. */
export const laneHealth = v.object({
  /** Name of the key, which reveals nothing about it. `caller` stands for all callers' own keys. */
  fingerprint: v.string(),
  /** The key's position in its channel, from 1, and the number of keys; both 0 for callers' own keys. */
  key: v.number(),
  keys: v.number(),
  model: v.string(),
  /** `ready`: can be called · `probe`: its cooldown is over, one call may try it · `resting`: in cooldown until `until` */
  standing: v.picklist(['ready', 'probe', 'resting']),
  /** Share of its weight that it is trusted with, above 0 and at most 1; 0 unless ready. */
  worth: v.number(),
  cause: v.optional(v.picklist(COOLDOWN_CAUSES)),
  until: v.optional(unixMs),
  /** 0 to 1, from recent calls. */
  failure_rate: v.number(),
  /** Milliseconds, from recent calls; absent before the first answer. */
  first_byte_ms: v.optional(v.number()),
  open: v.number(),
  /** Calls since the process started. */
  answered: v.number(),
  failed: v.number(),
  /** Used share of the key's account windows as the provider reports it, and when they reset; absent without a report. */
  windows: v.optional(v.array(v.object({ name: v.string(), used: v.number(), resets_at: unixMs }))),
})
export type LaneHealth = v.InferOutput<typeof laneHealth>

/**
 * The state of a channel, the worst first: resting → all its lanes are in cooldown · part_resting → some are · failing → recent
 * calls fail · recovering → a cooldown is over, and it must prove itself · slow → first bytes are late · healthy
 */
export const CHANNEL_CONDITIONS = ['resting', 'part_resting', 'failing', 'recovering', 'slow', 'healthy'] as const
export type ChannelCondition = (typeof CHANNEL_CONDITIONS)[number]

/** Health of a recently called channel, as the answering replica knows it. */
export const channelHealth = v.object({
  channel: rowId,
  channel_name: v.string(),
  condition: v.picklist(CHANNEL_CONDITIONS),
  /** End of the first cooldown, in unix milliseconds. */
  until: v.optional(unixMs),
  /** Number of lanes, and of those in cooldown. */
  lane_count: v.number(),
  resting: v.number(),
  /** 0 to 1, over all lanes, weighted by their calls. */
  failure_rate: v.number(),
  /** Of the slowest lane; absent before the first answer. */
  first_byte_ms: v.optional(v.number()),
  open: v.number(),
  /** Worst first; at most 5 per channel in the list of all channels, 500 for a single channel. */
  lanes: v.array(laneHealth),
})
export type ChannelHealth = v.InferOutput<typeof channelHealth>
