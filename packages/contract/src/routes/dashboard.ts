import * as v from 'valibot'
import { chartRow, dashboard as dashboardData, dashboardUser } from '../dashboard.ts'
import { defineRoute } from '../route.ts'
import { filterSeconds } from '../scalars.ts'

export const dashboard = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/user/dashboard',
  access: 'dashboard.own',
  summary: 'Usage by day, model, user and token',
  query: v.object({
    /** YYYY-MM-DD, UTC, inclusive. */
    from_date: v.optional(v.string(), ''),
    to_date: v.optional(v.string(), ''),
    /** `all` or a user id; requires `dashboard.anyUser`. */
    user_id: v.optional(v.string(), ''),
  }),
  data: dashboardData,
})
export const dashboardUsers = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/user/dashboard/users',
  access: 'dashboard.anyUser',
  summary: 'Users of the dashboard selector',
  data: v.array(dashboardUser),
})

/** Unix seconds, inclusive; the end defaults to now, the start to 30 days before the end. */
const chartTime = { start_timestamp: filterSeconds, end_timestamp: filterSeconds } as const
const chart = { method: 'GET', changes: false, data: v.array(chartRow) } as const

export const chartOfEveryone = defineRoute({
  ...chart,
  path: '/api/data/',
  access: 'dashboard.anyUser',
  summary:
    'Usage by model in New API’s format, of everyone or of one user: by UTC day, and by hour where the period starts or ends within a day; 366 days at most',
  query: v.object({ ...chartTime, username: v.optional(v.string(), '') }),
})
export const ownChart = defineRoute({
  ...chart,
  path: '/api/data/self',
  access: 'dashboard.own',
  summary: 'The same for one’s own usage; 31 days at most',
  query: v.object(chartTime),
})
