import * as v from 'valibot'
import { defineRoute } from '../route.ts'
import { rowId } from '../row-id.ts'
import { pageQuery } from '../scalars.ts'

/** A mail in the outbox. Only its recipient sees its content. */
export const outboxMail = v.object({
  id: rowId,
  /** `verification_code`, `password_reset`, `quota_low`, `channel_disabled` … */
  kind: v.string(),
  recipient: v.string(),
  /** `waiting`, `sent`, or `dead` (abandoned). */
  state: v.string(),
  attempts: v.number(),
  /** Reason of the last failed delivery; empty for none. */
  problem: v.string(),
  created_ms: v.number(),
  /** Next attempt, unix milliseconds; 0 for none. */
  due_ms: v.number(),
  /** When it was sent or abandoned, unix milliseconds; 0 while it waits. */
  done_ms: v.number(),
})

export const listOutbox = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/message/',
  access: 'settings.manage',
  summary: 'Emails in one state, newest first: waiting, sent in the last 7 days, or failed in the last 30',
  query: v.object({
    p: pageQuery.p,
    size: pageQuery.size,
    state: v.optional(v.picklist(['waiting', 'sent', 'dead']), 'dead'),
  }),
  data: v.array(outboxMail),
  paged: true,
})
