import * as v from 'valibot'
import { auditEntry } from '../audit.ts'
import { defineRoute } from '../route.ts'
import { filterSeconds, pageQuery } from '../scalars.ts'

const exactly = v.optional(v.pipe(v.string(), v.maxLength(100)), '')

export const listAudit = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/audit/',
  access: 'audit.view',
  summary: 'What administrators did, newest first',
  query: v.object({
    p: pageQuery.p,
    size: pageQuery.size,
    actor: exactly,
    /** Such as `PUT /api/user/`. */
    action: exactly,
    target_kind: exactly,
    target_id: exactly,
    /** Unix seconds, inclusive; 0 or absent for no limit. */
    start_timestamp: filterSeconds,
    end_timestamp: filterSeconds,
  }),
  data: v.array(auditEntry),
  paged: true,
})
