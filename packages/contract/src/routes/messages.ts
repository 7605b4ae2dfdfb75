import * as v from 'valibot'
import { defineRoute } from '../route.ts'
import { rowId } from '../row-id.ts'
import { pageQuery } from '../scalars.ts'

/** A mail in the outbox. Its content is shown only to its recipient. */
export const outboxMail = v.object({
  id: rowId,
  /** Its subject: `verification_code`, `password_reset`, `quota_low`, `channel_disabled` and others. */
  kind: v.string(),
  recipient: v.string(),
  /** `waiting`, `sent`, or `dead` (abandoned). */
  state: v.string(),
  /** Delivery attempts begun. */
  attempts: v.number(),
  /** Why the last delivery failed; empty when none did. */
  problem: v.string(),
  /** Unix milliseconds. */
  created_ms: v.number(),
  /** When the next attempt is due, unix milliseconds; 0 when there is none. */
  due_ms: v.number(),
  /** When it was sent or abandoned, unix milliseconds; 0 while it waits. */
  done_ms: v.number(),
})

export const listOutbox = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/message/',
  access: 'settings.manage',
  summary: 'Mails in one state, newest first: waiting, sent in the last 7 days, or failed in the last 30',
  query: v.object({
    p: pageQuery.p,
    size: pageQuery.size,
    state: v.optional(v.picklist(['waiting', 'sent', 'dead']), 'dead'),
  }),
  data: v.array(outboxMail),
  paged: true,
})
