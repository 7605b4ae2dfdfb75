import { can } from '@sluice/contract/capability'
import type { Call } from '../../../lib/http/call.ts'
import type { Queries } from '../../../lib/query/queries.ts'
import type { Session } from '../../../lib/session/session.ts'
import { type Day, dayOf } from '../model/days.ts'
import { requestOf } from '../model/request.ts'
import type { DashboardSearch } from '../model/search.ts'
import { usageQuery } from './usage.ts'
import { dashboardUsersQuery } from './users.ts'

interface LoadParts {
  readonly call: Call
  readonly queries: Queries
  readonly session: Session
}

/** Starts the calls of the page and says which day it is (UTC). */
export function loadDashboard(
  { call, queries, session }: LoadParts,
  search: Pick<DashboardSearch, 'from' | 'to' | 'user'>,
): { readonly today: Day } {
  const today = dayOf(Date.now())
  const seesAll = can(session.get()?.role, 'dashboard.anyUser')
  const request = requestOf(search, seesAll ? 'any' : 'own', today)
  if (request !== undefined) queries.prefetch(usageQuery(call, request.range, request.user))
  if (seesAll) queries.prefetch(dashboardUsersQuery(call))
  return { today }
}
