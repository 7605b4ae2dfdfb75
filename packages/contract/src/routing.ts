import * as v from 'valibot'

/**
 * Why a channel, or one of its keys, was not to be asked:
 * disabled, auto_disabled, paused → by its own state · unusable → its settings or its key cannot be read · key_disabled → this
 * key is switched off · not_served → the call cannot be made there · price_missing → it could not be charged · limited, account,
 * failing → it rests, until `until` · probing → its rest is over and another request tries it just now · spare → it might serve,
 * but so many tries are not made
 */
export const EXCLUSIONS = [
  'disabled',
  'auto_disabled',
  'paused',
  'unusable',
  'key_disabled',
  'not_served',
  'price_missing',
  'limited',
  'account',
  'failing',
  'probing',
  'spare',
] as const
export type Exclusion = (typeof EXCLUSIONS)[number]

/** A channel with one of its keys, as routing looked at it. */
export const consideredLane = v.object({
  channel: v.number(),
  channel_name: v.string(),
  /** Position of the key in its channel, from 1; of how many. */
  key: v.number(),
  keys: v.number(),
  /** The model it was considered for: the one asked for, or a fallback. */
  model: v.string(),
  priority: v.number(),
  weight: v.number(),
  /** Place in the order of trying, from 1; 0 when it was left out. */
  order: v.number(),
  excluded: v.optional(v.picklist(EXCLUSIONS)),
  /** End of its rest, in unix milliseconds. */
  until: v.optional(v.number()),
})
export type ConsideredLane = v.InferOutput<typeof consideredLane>

/**
 * How the way of a request was found. weight → drawn by weight · session → the conversation's own order, which keeps it where its
 * prompt is cached · pin → one channel was named
 */
export const routingDecision = v.object({
  by: v.picklist(['weight', 'session', 'pin']),
  /** In the order of trying, then what was left out. At most 32. */
  lanes: v.array(consideredLane),
})
export type RoutingDecision = v.InferOutput<typeof routingDecision>

/** A decision as it is stored, in JSON; undefined when it cannot be read or none was stored. */
export function parseRoutingDecision(text: string): RoutingDecision | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), routingDecision), text)
  return parsed.success ? parsed.output : undefined
}
