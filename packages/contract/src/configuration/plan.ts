import * as v from 'valibot'
import { exactQuota } from '../scalars.ts'

const CHANGE_ACTIONS = ['create', 'update', 'remove', 'adopt', 'release'] as const

/** One changed field. Secrets are not shown, only that they differ. */
export const fieldChange = v.object({
  field: v.string(),
  before: v.nullable(v.string()),
  after: v.nullable(v.string()),
})
export type FieldChange = v.InferOutput<typeof fieldChange>

/** `adopt`: already matches the file, and is owned by it from now on. `release`: stays unchanged, and is no longer owned. */
export const configurationChange = v.object({
  kind: v.picklist(['option', 'channel']),
  name: v.string(),
  action: v.picklist(CHANGE_ACTIONS),
  /** Whether it was changed elsewhere since the file was applied. */
  drifted: v.boolean(),
  fields: v.array(fieldChange),
})
export type ConfigurationChange = v.InferOutput<typeof configurationChange>

const amounts = { before: exactQuota, after: exactQuota }

/** Recent charges at the prices before and after the change. */
export const priceEffect = v.object({
  /** Unix seconds of the oldest charge that was recomputed. */
  since: v.number(),
  charges: v.number(),
  /** False when there were too many charges to recompute in time; only the newest are counted then. */
  complete: v.boolean(),
  ...amounts,
  /** The 20 users with the largest differences. */
  users: v.array(v.object({ id: v.number(), username: v.string(), ...amounts })),
  models: v.array(v.object({ model: v.string(), ...amounts })),
})
export type PriceEffect = v.InferOutput<typeof priceEffect>

export const configurationPlan = v.object({
  owner: v.string(),
  revision: v.number(),
  document: v.string(),
  /** Digest of the state that the plan is based on; `apply` refuses a different one. */
  state: v.string(),
  changes: v.array(configurationChange),
  unchanged: v.number(),
  /** Options and channels that another file owns, or none. */
  left_alone: v.number(),
  prices: priceEffect,
})
export type ConfigurationPlan = v.InferOutput<typeof configurationPlan>

export const appliedConfiguration = v.object({
  owner: v.string(),
  revision: v.number(),
  changes: v.array(configurationChange),
  unchanged: v.number(),
})
export type AppliedConfiguration = v.InferOutput<typeof appliedConfiguration>

/** The configuration as a document, and the variables that must be set before applying it elsewhere. */
export const exportedConfiguration = v.object({
  document: v.string(),
  variables: v.array(v.string()),
})
export type ExportedConfiguration = v.InferOutput<typeof exportedConfiguration>
