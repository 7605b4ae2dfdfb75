import * as v from 'valibot'
import { defineRoute } from '../route.ts'
import { rowId } from '../row-id.ts'
import { pageQuery } from '../scalars.ts'

/** A mail in the outbox. What it says is shown to nobody but its recipient. */
export const outboxMail = v.object({
  id: rowId,
  /** What it is about: `verification_code`, `password_reset`, `quota_low`, `channel_disabled` and others. */
  kind: v.string(),
  recipient: v.string(),
  /** `waiting`, `sent`, or `dead`: given up. */
  state: v.string(),
  /** Deliveries begun. */
  attempts: v.number(),
  /** Why the last delivery failed; empty when none did. */
  problem: v.string(),
  /** Unix milliseconds. */
  created_ms: v.number(),
  /** When it is tried next, unix milliseconds; 0 when it is not. */
  due_ms: v.number(),
  /** When it was sent or given up, unix milliseconds; 0 while it waits. */
  done_ms: v.number(),
})

export const listOutbox = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/message/',
  access: 'settings.manage',
  summary:
    'Mail of one state, newest first: what waits, what was sent in the last 7 days, what was given up in the last 30',
  query: v.object({
    p: pageQuery.p,
    size: pageQuery.size,
    state: v.optional(v.picklist(['waiting', 'sent', 'dead']), 'dead'),
  }),
  data: v.array(outboxMail),
  paged: true,
})
