import { can } from '@sluice/contract/capability'
import { type DashboardUser, modelDay, tokenDay, userDay } from '@sluice/contract/dashboard'
import type { LedgerCheck } from '@sluice/contract/ledger-check'
import { defineRoute } from '@sluice/contract/route'
import { dashboard, dashboardUsers } from '@sluice/contract/routes/dashboard'
import { listLedgerChecks } from '@sluice/contract/routes/ledger'
import * as v from 'valibot'
import { type Call, successOf } from '~/lib/http/call.ts'
import type { Queries, QuerySpec } from '~/lib/query/queries.ts'
import type { Session } from '~/lib/session/session.ts'
import { type Day, dayOf, type DateRange, requestOf } from './model/range.ts'
import type { DashboardSearch } from './model/search.ts'
import type { RangeUsage } from './model/usage.ts'

/** Accepts both replies that the specification allows: a plain list of model rows, or all three lists. */
const usageRoute = defineRoute({
  ...dashboard,
  data: v.union([
    v.array(modelDay),
    v.object({
      logs: v.array(modelDay),
      user_logs: v.optional(v.array(userDay), []),
      token_logs: v.optional(v.array(tokenDay), []),
    }),
  ]),
})

/** `user` is a user's id, `all`, or empty for one's own account, which is all that ordinary users may request. */
export function usageQuery(call: Call, range: DateRange, user: string): QuerySpec<RangeUsage> {
  return {
    queryKey: ['dashboard', 'usage', range.from, range.to, user],
    queryFn: async ({ signal }) => {
      const query = { from_date: range.from, to_date: range.to, user_id: user }
      const { data } = successOf(await call(usageRoute, { query, signal }))
      return 'logs' in data ? { range, ...data } : { range, logs: data, user_logs: [], token_logs: [] }
    },
  }
}

const USERS_FRESH_MS = 5 * 60_000

/** Needs `dashboard.anyUser`. */
export function dashboardUsersQuery(call: Call): QuerySpec<readonly DashboardUser[]> {
  return {
    queryKey: ['dashboard', 'users'],
    queryFn: async ({ signal }) => successOf(await call(dashboardUsers, { signal })).data,
    staleTime: USERS_FRESH_MS,
  }
}

interface LoadParts {
  readonly call: Call
  readonly queries: Queries
  readonly session: Session
}

/** Returns the current day (UTC). */
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

export const LEDGER_CHECKS = ['dashboard', 'ledger-checks'] as const
/** The verification that is shown, and some before it. */
const SHOWN = '6'

/** Newest first. Needs `ledger.verify`. */
export function ledgerChecksQuery(call: Call): QuerySpec<readonly LedgerCheck[]> {
  return {
    queryKey: LEDGER_CHECKS,
    queryFn: async ({ signal }) => successOf(await call(listLedgerChecks, { query: { size: SHOWN }, signal })).data,
  }
}
