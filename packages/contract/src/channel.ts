import * as v from 'valibot'
import { rowId, unixSeconds } from './scalars.ts'

/** Stored channel status; the console shows 2 and 3 as Disabled, and a negative priority as Paused. */
export const CHANNEL_STATUS = { enabled: 1, disabled: 2, autoDisabled: 3 } as const

/** Per-model settings of a channel: price ratios (1 = 0.002 currency units per 1,000 tokens) and a token cap. */
export const modelConfig = v.pipe(
  v.object({
    ratio: v.optional(v.pipe(v.number(), v.minValue(0))),
    completion_ratio: v.optional(v.pipe(v.number(), v.minValue(0))),
    max_tokens: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  }),
  v.check(
    (config) => config.ratio !== undefined || config.completion_ratio !== undefined || config.max_tokens !== undefined,
    'Model config needs at least one of ratio, completion_ratio, max_tokens',
  ),
)
export type ModelConfig = v.InferOutput<typeof modelConfig>

const jsonText = v.nullable(v.string())

/** A channel as lists and the form see it. The key is never part of it. */
export const channel = v.object({
  id: rowId,
  name: v.string(),
  type: v.number(),
  base_url: v.string(),
  other: v.string(),
  models: v.string(),
  model_mapping: jsonText,
  model_configs: jsonText,
  system_prompt: v.nullable(v.string()),
  group: v.string(),
  priority: v.number(),
  weight: v.number(),
  ratelimit: v.number(),
  status: v.number(),
  /** Milliseconds of the last test; 0 when never tested or failed. */
  response_time: v.number(),
  test_time: unixSeconds,
  testing_model: v.nullable(v.string()),
  created_time: unixSeconds,
  used_quota: v.number(),
  balance: v.number(),
  inference_profile_arn_map: jsonText,
  /** JSON text without secrets. */
  config: v.string(),
  /** Models offered by the testing-model selector. */
  test_models: v.array(v.string()),
})
export type Channel = v.InferOutput<typeof channel>

const channelFields = {
  name: v.pipe(v.string(), v.trim(), v.minLength(1, 'Channel name is required'), v.maxLength(100, 'Channel name is limited to 100 characters')),
  type: v.pipe(v.number('Channel type is required'), v.integer(), v.minValue(1, 'Channel type is required')),
  /** One credential per line; each line becomes a channel on create. Empty keeps the stored key on update. */
  key: v.optional(v.pipe(v.string(), v.maxLength(100_000)), ''),
  base_url: v.optional(v.nullable(v.pipe(v.string(), v.trim(), v.maxLength(500)))),
  other: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(500)))),
  models: v.optional(v.pipe(v.string(), v.maxLength(100_000)), ''),
  model_mapping: v.optional(v.nullable(v.string())),
  model_configs: v.optional(v.nullable(v.string())),
  system_prompt: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(100_000)))),
  group: v.optional(v.pipe(v.string(), v.maxLength(1_000)), 'default'),
  priority: v.optional(v.pipe(v.number(), v.integer('Priority must be an integer')), 0),
  weight: v.optional(v.pipe(v.number(), v.integer('Weight must be an integer'), v.minValue(0)), 0),
  ratelimit: v.optional(v.pipe(v.number(), v.integer('Rate limit must be an integer'), v.minValue(0)), 0),
  testing_model: v.optional(v.nullable(v.string())),
  inference_profile_arn_map: v.optional(v.nullable(v.string())),
  config: v.optional(v.nullable(v.string())),
} as const

export const channelCreate = v.object(channelFields)
/** Update by presence: an absent field keeps its value, null clears it where the column is nullable. */
export const channelUpdate = v.partial(v.object({ ...channelFields, id: rowId, status: v.picklist([1, 2]) }), [
  'name', 'type', 'key', 'base_url', 'other', 'models', 'model_mapping', 'model_configs', 'system_prompt', 'group',
  'priority', 'weight', 'ratelimit', 'testing_model', 'inference_profile_arn_map', 'config', 'status',
])
export const channelStatusUpdate = v.object({ id: rowId, status: v.picklist([1, 2], 'Status must be 1 (enabled) or 2 (disabled)') })
