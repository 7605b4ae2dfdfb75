import * as v from 'valibot'
import { log, trace } from '../log.ts'
import { defineRoute } from '../route.ts'
import {
  exactQuota,
  filterInt,
  filterSeconds,
  keyword,
  pageQuery,
  queryInt,
  unixSeconds,
  wholeQuota,
} from '../scalars.ts'

export const LOG_SORTS = [
  'id',
  'created_at',
  'type',
  'model_name',
  'token_name',
  'username',
  'channel',
  'prompt_tokens',
  'completion_tokens',
  'quota',
  'elapsed_time',
] as const

export const logFilters = {
  type: filterInt,
  model_name: v.optional(v.string(), ''),
  token_name: v.optional(v.string(), ''),
  username: v.optional(v.string(), ''),
  /** 0 or absent for all channels. */
  channel: filterInt,
  /** Only calls of this session, at most the newest 100,000. */
  session: v.optional(v.pipe(v.string(), v.regex(/^([\w-]{22})?$/, 'must be the id of a session')), ''),
  /** Unix seconds, inclusive; 0 or absent for no limit. */
  start_timestamp: filterSeconds,
  end_timestamp: filterSeconds,
} as const

const sorted = v.object({
  /**
   * Present when there are more than 100,000 rows to sort by a number: then only the `first` rows of the list are in the requested
   * order, picked from the `among` newest ones, and the others follow, newest first.
   */
  sorted: v.optional(v.object({ first: v.number(), among: v.number() })),
})
const rows = { data: v.array(log), paged: true, extra: sorted } as const
const list = { query: v.object({ ...pageQuery, ...logFilters }), ...rows } as const
const stat = { query: v.object(logFilters), data: v.object({ quota: wholeQuota, quota_exact: exactQuota }) } as const
const histogram = {
  query: v.object(logFilters),
  data: v.object({
    /**
     * Length of every bucket: at least a minute, shorter for shorter windows with fewer rows, and a day or more for hundreds of
     * thousands of rows. A window has at most 120 buckets.
     */
    bucket_seconds: v.number(),
    /** Oldest first, without empty ones; each begins at a multiple of `bucket_seconds`. */
    buckets: v.array(
      v.object({
        start: unixSeconds,
        entries: v.number(),
        quota: wholeQuota,
        quota_exact: exactQuota,
      }),
    ),
  }),
} as const
const search = { query: v.object({ ...pageQuery, keyword }), ...rows } as const

export const listLogs = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/log/',
  access: 'logs.all',
  summary: 'List logs of all users',
  ...list,
})
export const listOwnLogs = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/log/self',
  access: 'logs.own',
  summary: 'List own logs',
  ...list,
})
export const logStat = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/log/stat',
  access: 'logs.all',
  summary: 'Quota consumed under the filters',
  ...stat,
})
export const ownLogStat = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/log/self/stat',
  access: 'logs.own',
  summary: 'Own quota consumed under the filters',
  ...stat,
})
export const logHistogram = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/log/histogram',
  access: 'logs.all',
  summary: 'Rows and quota over time under the filters',
  ...histogram,
})
export const ownLogHistogram = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/log/self/histogram',
  access: 'logs.own',
  summary: 'Own rows and quota over time under the filters',
  ...histogram,
})
export const searchLogs = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/log/search',
  access: 'logs.all',
  summary: 'Search log texts, models, tokens, users and ids',
  ...search,
})
export const searchOwnLogs = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/log/self/search',
  access: 'logs.own',
  summary: 'Search own logs',
  ...search,
})
export const clearLogs = defineRoute({
  method: 'DELETE',
  path: '/api/log/',
  access: 'logs.clear',
  summary: 'Delete logs created before a unix time; returns how many',
  query: v.object({ target_timestamp: v.pipe(queryInt, v.minValue(1, 'must be a unix time in seconds')) }),
  data: v.number(),
})
export const traceOfLog = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/trace/log/:id',
  longId: true,
  access: 'logs.own',
  summary: 'Timeline of the request behind a log row, for its owner or an administrator',
  data: trace,
})
export const traceOfRequest = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/trace/:trace_id',
  params: { trace_id: '[0-9a-f]{32}' },
  access: 'logs.own',
  summary: 'The same by request id, which is the `trace_id` of log rows; also for a request that failed and has no row',
  data: trace,
})
