import * as v from 'valibot'
import { exactQuota } from '../scalars.ts'

const CHANGE_ACTIONS = ['create', 'update', 'remove', 'adopt', 'release'] as const

/** One changed field. For a secret it only says that it differs. */
export const fieldChange = v.object({
  field: v.string(),
  /** Null if there is none. */
  before: v.nullable(v.string()),
  after: v.nullable(v.string()),
})
export type FieldChange = v.InferOutput<typeof fieldChange>

/** `adopt`: already is as the file says, and is owned from now on. `release`: stays as it is, and is no longer owned. */
export const configurationChange = v.object({
  kind: v.picklist(['option', 'channel']),
  name: v.string(),
  action: v.picklist(CHANGE_ACTIONS),
  /** Something other than the file has changed it since the file was applied. */
  drifted: v.boolean(),
  fields: v.array(fieldChange),
})
export type ConfigurationChange = v.InferOutput<typeof configurationChange>

/** What the same usage costs before and after the change. */
const amounts = { before: exactQuota, after: exactQuota }

/** Charges of the last days at the prices before and after the change. */
export const priceEffect = v.object({
  /** Unix seconds of the oldest charge that was recomputed. */
  since: v.number(),
  /** Charges whose price differs. */
  charges: v.number(),
  /** False when there were too many charges to recompute in time; then only the newest were. */
  complete: v.boolean(),
  ...amounts,
  /** The users with the largest differences, at most 20. */
  users: v.array(v.object({ id: v.number(), username: v.string(), ...amounts })),
  models: v.array(v.object({ model: v.string(), ...amounts })),
})
export type PriceEffect = v.InferOutput<typeof priceEffect>

/** What applying a document would do. */
export const configurationPlan = v.object({
  owner: v.string(),
  revision: v.number(),
  /** Digest of the document. */
  document: v.string(),
  /** Digest of the state on which the plan is based; `apply` refuses a different state. */
  state: v.string(),
  changes: v.array(configurationChange),
  /** Items in the document that already are as it says. */
  unchanged: v.number(),
  /** Options and channels that no file owns, or that another file owns. */
  left_alone: v.number(),
  prices: priceEffect,
})
export type ConfigurationPlan = v.InferOutput<typeof configurationPlan>

/** What was done. */
export const appliedConfiguration = v.object({
  owner: v.string(),
  revision: v.number(),
  changes: v.array(configurationChange),
  unchanged: v.number(),
})
export type AppliedConfiguration = v.InferOutput<typeof appliedConfiguration>

/** The configuration as a document, and the variables that must be set before it can be applied elsewhere. */
export const exportedConfiguration = v.object({
  /** YAML. */
  document: v.string(),
  /** Environment variables that its references name. */
  variables: v.array(v.string()),
})
export type ExportedConfiguration = v.InferOutput<typeof exportedConfiguration>
