import * as v from 'valibot'

/**
 * Prices in New API's format, which its price scripts and dashboards read: a `model_ratio` of 1 is 2 US dollars per million prompt
 * tokens, and the other ratios multiply it. `model_price` is in US dollars per call.
 */
export const ratioPrice = v.object({
  model_name: v.string(),
  /** 0: by token, with a `model_price` of 0 · 1: by call, with ratios of 0. */
  quota_type: v.picklist([0, 1]),
  model_ratio: v.number(),
  model_price: v.number(),
  owner_by: v.string(),
  /** For answer tokens, as a multiple of `model_ratio`; so are the next three. */
  completion_ratio: v.number(),
  cache_ratio: v.optional(v.number()),
  /** For cache entries that last five minutes. */
  create_cache_ratio: v.optional(v.number()),
  image_ratio: v.optional(v.number()),
  /** For audio prompt tokens; the next one, for audio answer tokens, is a multiple of it. */
  audio_ratio: v.optional(v.number()),
  audio_completion_ratio: v.optional(v.number()),
  /** Groups in `usable_group` that can call the model. */
  enable_groups: v.array(v.string()),
  /** Keys of `supported_endpoint`: formats in which the model can be called. */
  supported_endpoint_types: v.array(v.string()),
})
export type RatioPrice = v.InferOutput<typeof ratioPrice>

export const ratioPriceGroups = v.object({
  group_ratio: v.record(v.string(), v.number()),
  /** Description by group. A guest sees the group of new accounts, a user their own. */
  usable_group: v.record(v.string(), v.string()),
  supported_endpoint: v.record(v.string(), v.object({ path: v.string(), method: v.string() })),
  /** Always empty: models are not sorted by vendor here. */
  vendors: v.array(v.object({ id: v.number(), name: v.string() })),
  auto_groups: v.array(v.string()),
})
export type RatioPriceGroups = v.InferOutput<typeof ratioPriceGroups>

const ratios = v.record(v.string(), v.number())
/** The same ratios by model, as other gateways of the family fetch them. */
export const ratioConfig = v.object({
  model_ratio: ratios,
  completion_ratio: ratios,
  cache_ratio: ratios,
  create_cache_ratio: ratios,
  model_price: ratios,
})
export type RatioConfig = v.InferOutput<typeof ratioConfig>
