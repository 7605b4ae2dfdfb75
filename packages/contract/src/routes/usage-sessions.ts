import * as v from 'valibot'
import { essential } from '../absence.ts'
import { defineRoute } from '../route.ts'
import { exactQuota, filterSeconds, pageQuery, pageSize, unixSeconds, wholeQuota } from '../scalars.ts'
import { logFilters } from './logs.ts'

/** Sums over a token's calls under one session name. */
export const usageSession = v.object({
  /** 22 characters that identify the token and the client's session name. */
  session: essential(v.string()),
  token_id: v.number(),
  /** Token name of the last call; `client` is also the last call's. */
  token_name: v.string(),
  user_id: v.number(),
  username: v.string(),
  /** Client family, such as `claude-code`; `other` when unknown. */
  client: v.string(),
  /** In the order of their first call; at most eight. */
  models: v.array(v.string()),
  /** When the first call began, and when the last one was charged. */
  first_at: unixSeconds,
  last_at: unixSeconds,
  calls: v.number(),
  quota: wholeQuota,
  quota_exact: exactQuota,
  /** What the cached tokens would have cost in addition at the full prices of their calls. */
  saved_quota: wholeQuota,
  saved_quota_exact: exactQuota,
  /** All input; the next three are parts of it: tokens read from caches and written to them. */
  prompt_tokens: v.number(),
  cached_prompt_tokens: v.number(),
  cache_write_5m_tokens: v.number(),
  cache_write_1h_tokens: v.number(),
  /** All output, and the reasoning tokens within it. */
  completion_tokens: v.number(),
  reasoning_tokens: v.number(),
})
export type UsageSession = v.InferOutput<typeof usageSession>

export const SESSION_SORTS = ['last_at', 'quota', 'duration'] as const

const list = {
  query: v.object({
    size: pageSize(20),
    sort: v.optional(v.string(), ''),
    order: pageQuery.order,
    /** `next` of the previous reply; absent or empty for the first page. Valid only with the same filters and order. */
    after: v.optional(v.string(), ''),
    token_name: v.optional(v.string(), ''),
    username: v.optional(v.string(), ''),
    session: logFilters.session,
    /** Unix seconds of the last call, inclusive; 0 or absent for no limit. */
    start_timestamp: filterSeconds,
    end_timestamp: filterSeconds,
  }),
  data: v.array(usageSession),
  extra: v.object({
    /** Absent on the last page. */
    next: v.optional(v.string()),
    /** When sorted by quota or duration: how many of the latest sessions were sorted, if there are more. Absent when all were. */
    among: v.optional(v.number()),
  }),
} as const

export const listSessions = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/log/session',
  access: 'logs.all',
  summary: 'List the sessions named by clients, of all users, with their totals',
  ...list,
})
export const listOwnUsageSessions = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/log/self/session',
  access: 'logs.own',
  summary: 'List one’s own client sessions with their totals',
  ...list,
})
