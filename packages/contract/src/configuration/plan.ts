import * as v from 'valibot'
import { exactQuota } from '../scalars.ts'

const CHANGE_ACTIONS = ['create', 'update', 'remove', 'adopt', 'release'] as const

/** One field of a change. Secrets are never in it: only that they differ. */
export const fieldChange = v.object({
  field: v.string(),
  /** Null where there is none. */
  before: v.nullable(v.string()),
  after: v.nullable(v.string()),
})
export type FieldChange = v.InferOutput<typeof fieldChange>

/** `adopt`: is as the file says, and is owned from now on. `release`: stays as it is, and is no longer owned. */
export const configurationChange = v.object({
  kind: v.picklist(['option', 'channel']),
  name: v.string(),
  action: v.picklist(CHANGE_ACTIONS),
  /** Something other than the file has changed it since the file was applied. */
  drifted: v.boolean(),
  fields: v.array(fieldChange),
})
export type ConfigurationChange = v.InferOutput<typeof configurationChange>

/** What the same usage costs before and after. */
const amounts = { before: exactQuota, after: exactQuota }

/** Charges of the last days at the prices before and after the change. */
export const priceEffect = v.object({
  /** Unix seconds of the oldest charge that was computed again. */
  since: v.number(),
  /** Charges whose price differs. */
  charges: v.number(),
  /** False when there were more charges than could be computed in time: the newest were. */
  complete: v.boolean(),
  ...amounts,
  /** Those with the largest difference, at most 20. */
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
  /** Digest of the state that the plan was made from; `apply` refuses another one. */
  state: v.string(),
  changes: v.array(configurationChange),
  /** Things of the document that are as it says. */
  unchanged: v.number(),
  /** Options and channels that no file owns, or another one. */
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

/** The configuration as a document, and what has to be set before it can be applied elsewhere. */
export const exportedConfiguration = v.object({
  /** YAML. */
  document: v.string(),
  /** Environment variables that its references name. */
  variables: v.array(v.string()),
})
export type ExportedConfiguration = v.InferOutput<typeof exportedConfiguration>
