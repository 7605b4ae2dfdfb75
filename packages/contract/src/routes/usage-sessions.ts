import * as v from 'valibot'
import { defineRoute } from '../route.ts'
import { filterSeconds, pageQuery, pageSize } from '../scalars.ts'
import { usageSession } from '../usage-session.ts'
import { logFilters } from './logs.ts'

export const SESSION_SORTS = ['last_at', 'quota', 'duration'] as const

const list = {
  query: v.object({
    size: pageSize(20),
    sort: v.optional(v.string(), ''),
    order: pageQuery.order,
    /** `next` of the reply before; absent or empty for the first page. It belongs to the same filters and order. */
    after: v.optional(v.string(), ''),
    token_name: v.optional(v.string(), ''),
    username: v.optional(v.string(), ''),
    session: logFilters.session,
    /** Unix seconds, inclusive, of the last call; 0 or absent leaves this end open. */
    start_timestamp: filterSeconds,
    end_timestamp: filterSeconds,
  }),
  data: v.array(usageSession),
  extra: v.object({
    /** Absent on the last page. */
    next: v.optional(v.string()),
    /** By quota or duration: so many of the latest sessions were ordered, because there are more. Absent when all were. */
    among: v.optional(v.number()),
  }),
} as const

export const listSessions = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/log/session',
  access: 'logs.all',
  summary: 'List what clients named as sessions, of all users, with their sums',
  ...list,
})
export const listOwnUsageSessions = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/log/self/session',
  access: 'logs.own',
  summary: 'List own sessions of clients with their sums',
  ...list,
})
