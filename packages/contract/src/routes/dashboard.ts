import * as v from 'valibot'
import { dashboard as dashboardData, dashboardUser } from '../dashboard.ts'
import { defineRoute } from '../route.ts'

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
    /** `all` or a user id; needs `dashboard.anyUser`. */
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
