import type { DashboardUser } from '@sluice/contract/dashboard'
import { dashboardUsers } from '@sluice/contract/routes/dashboard'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

const FRESH_MS = 5 * 60_000

/** Users of the selector. Needs `dashboard.anyUser`. */
export function dashboardUsersQuery(call: Call): QuerySpec<readonly DashboardUser[]> {
  return {
    queryKey: ['dashboard', 'users'],
    queryFn: async ({ signal }) => successOf(await call(dashboardUsers, { signal })).data,
    staleTime: FRESH_MS,
  }
}
