import { can } from '@sluice/contract/capability'
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router'
import { dayOf } from '../features/dashboard/model/days.ts'
import { DASHBOARD_DEFAULTS, dashboardSearch, requestOf } from '../features/dashboard/model/search.ts'
import { protectedRoute } from './protected.ts'

const dashboardRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/dashboard',
  validateSearch: dashboardSearch,
  search: { middlewares: [stripSearchParams(DASHBOARD_DEFAULTS)] },
  loaderDeps: ({ search: { from, to, user } }) => ({ from, to, user }),
  loader: async ({ context, deps }) => {
    const [{ usageQuery }, { dashboardUsersQuery }] = await Promise.all([
      import('../features/dashboard/api/usage.ts'),
      import('../features/dashboard/api/users.ts'),
    ])
    const today = dayOf(Date.now())
    const seesAll = can(context.session.get()?.role, 'dashboard.anyUser')
    const request = requestOf(deps, seesAll ? 'any' : 'own', today)
    if (request !== undefined) context.queries.prefetch(usageQuery(context.call, request.range, request.user))
    if (seesAll) context.queries.prefetch(dashboardUsersQuery(context.call))
    return { today }
  },
  component: lazyRouteComponent(() => import('../features/dashboard/ui/dashboard-page.tsx'), 'DashboardPage'),
})

export const dashboardRoutes = [dashboardRoute] as const
