import * as v from 'valibot'
import { whenAbsent } from './absence.ts'
import { bodySchemas, replySchemas } from './fields/channel.ts'
import { rowId } from './row-id.ts'
import { exactQuota, unixSeconds, wholeQuota } from './scalars.ts'

export const CHANNEL_KEYS_MAX = 1_000

/** The console shows 2 and 3 as Disabled, and a negative priority as Paused. */
export const CHANNEL_STATUS = { enabled: 1, disabled: 2, autoDisabled: 3 } as const

/** 2 is set by a person, 3 by the gateway. */
export const CHANNEL_KEY_STATUS = { enabled: 1, disabled: 2, autoDisabled: 3 } as const

/** In the established order of replies; a new setting goes after the existing ones. */
const { testing_model, inference_profile_arn_map, config, ...settings } = replySchemas()

/** A channel in lists and in the form; the key is never included. */
export const channel = v.object({
  id: rowId,
  ...settings,
  status: v.number(),
  /** Duration of the last test in milliseconds; 0 if there was none or it failed. */
  response_time: v.number(),
  test_time: unixSeconds,
  testing_model,
  created_time: unixSeconds,
  used_quota: wholeQuota,
  used_quota_exact: exactQuota,
  /** Remaining balance at the provider, in `balance_currency`; can be negative. */
  balance: v.number(),
  /** `USD`, `CNY` or the vendor's own `points`; empty until the balance is first requested. */
  balance_currency: v.string(),
  /** 0 until the balance is first requested. */
  balance_updated_time: whenAbsent(unixSeconds, 0),
  inference_profile_arn_map,
  /** JSON text, without secrets. */
  config,
  /** Why the gateway disabled it, and when; empty and 0 while it is not disabled automatically. */
  disabled_reason: v.string(),
  disabled_time: whenAbsent(unixSeconds, 0),
  /** Models offered for tests; if absent, all models of the channel. */
  test_models: v.optional(v.array(v.string())),
  /** Label of the owning configuration file; empty for none. */
  managed_by: whenAbsent(v.string(), ''),
  /** Whether that file also sets the status. */
  managed_status: whenAbsent(v.boolean(), false),
  key_count: whenAbsent(v.number(), 1),
})
export type Channel = v.InferOutput<typeof channel>

const { name, type, ...moreSettings } = bodySchemas()

const channelFields = {
  name,
  type,
  /** One credential per line; on create, each line becomes a channel. On update, empty keeps the stored key. */
  key: v.optional(v.pipe(v.string(), v.maxLength(500_000)), ''),
  keys_in_one: v.optional(v.boolean(), false),
  ...moreSettings,
}

/** `append` adds to the channel's existing keys; without it they are replaced. */
const keyMode = v.optional(v.picklist(['replace', 'append']), 'replace')

export const channelCreate = v.object(channelFields)
/** An absent field keeps its value, null clears a nullable one. Status 3, the gateway's own, is only accepted unchanged. */
export const channelUpdate = v.object({
  ...v.partial(v.object({ ...channelFields, key_mode: keyMode })).entries,
  id: rowId,
  status: v.optional(v.picklist(Object.values(CHANNEL_STATUS))),
})
/** An unsaved channel. With `id`, absent fields, including the key, are taken from the stored one by the rules of an update. */
export const channelDraft = v.partial(
  v.object({
    ...channelFields,
    key_mode: keyMode,
    name: v.pipe(v.string(), v.maxLength(100)),
    id: rowId,
    /** Empty for the cheapest model. */
    model: v.pipe(v.string(), v.trim(), v.maxLength(255)),
  }),
)
export const channelStatusUpdate = v.object({
  id: rowId,
  status: v.picklist([CHANNEL_STATUS.enabled, CHANNEL_STATUS.disabled], 'Status must be 1 (enabled) or 2 (disabled)'),
})

export const channelKey = v.object({
  /** From 1, in the order in which the keys were given. */
  position: v.number(),
  /** The start of a digest, which reveals nothing about the key. */
  fingerprint: v.string(),
  status: v.number(),
  /** Why the gateway switched it off; otherwise empty. */
  reason: v.string(),
  /** When it was switched off; 0 while it is on. */
  since: unixSeconds,
})
export type ChannelKey = v.InferOutput<typeof channelKey>

const jsonField = v.optional(
  v.nullable(v.union([v.pipe(v.string(), v.maxLength(200_000)), v.record(v.string(), v.unknown())])),
)

/** Each field is a JSON text. */
export const channelPricing = v.object({
  /** Model → ratio. Part of `model_configs`, kept for older clients. */
  model_ratio: v.string(),
  /** Model → completion ratio. Part of `model_configs`, kept for older clients. */
  completion_ratio: v.string(),
  model_configs: v.string(),
  /** Built-in tools: `whitelist` of names; `pricing` by name, in `usd_per_call` or `quota_per_call`. */
  tooling: v.string(),
})

/** An absent field keeps its value, null clears it. `model_configs` includes the two ratios, which are ignored when it is given. */
export const channelPricingUpdate = v.object({
  model_ratio: jsonField,
  completion_ratio: jsonField,
  model_configs: jsonField,
  tooling: jsonField,
})

export const jobFailure = v.object({ id: rowId, name: v.string(), reason: v.string() })
export type JobFailure = v.InferOutput<typeof jobFailure>

/** Background work on many channels, on whichever replica; the last run when none is active. Times are 0 before the first run. */
export const channelJob = v.object({
  /** 0 before the first run. */
  id: v.number(),
  running: v.boolean(),
  /** A user has requested a stop; the run is about to end. */
  stopping: v.boolean(),
  /** `done`; `stopped` by a user or with its process; `failed` (could not be done); empty while running. */
  outcome: v.picklist(['', 'done', 'stopped', 'failed']),
  scope: v.string(),
  /** The user who started it; empty for the schedule. */
  started_by: v.string(),
  scheduled: v.boolean(),
  started_time: unixSeconds,
  finished_time: unixSeconds,
  total: v.number(),
  done: v.number(),
  failed: v.number(),
  disabled: v.number(),
  enabled: v.number(),
  /** The first 50. */
  failures: v.array(jobFailure),
})
export type ChannelJob = v.InferOutput<typeof channelJob>
