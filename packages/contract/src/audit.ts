import * as v from 'valibot'
import { unixSeconds } from './scalars.ts'

/** How an administrator's call ended; `unknown` if the process ended first. */
export const AUDIT_OUTCOMES = ['done', 'refused', 'failed', 'unknown'] as const

/** Field name to value; nested values as JSON text, secrets as a mark that changes when they do. */
const values = v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean()])))

export const auditEntry = v.object({
  /** Consecutive, from 1. */
  id: v.pipe(v.number(), v.integer(), v.minValue(1)),
  created_at: unixSeconds,
  actor_id: v.number(),
  actor_name: v.string(),
  actor_role: v.number(),
  address: v.string(),
  /** Method and path of the call: `PUT /api/user/`. */
  action: v.string(),
  outcome: v.picklist(AUDIT_OUTCOMES),
  /** Kind of the changed object (`user`, `channel`, `option` …), and its id. */
  target_kind: v.string(),
  target_id: v.string(),
  before: values,
  after: values,
  /** SHA-256 over this entry and the one before, hex. */
  hash: v.string(),
})
export type AuditEntry = v.InferOutput<typeof auditEntry>
