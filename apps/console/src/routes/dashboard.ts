import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router'
import { DASHBOARD_DEFAULTS, dashboardSearch } from '../features/dashboard/model/search.ts'
import { protectedRoute } from './parents.ts'

const dashboardRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/dashboard',
  validateSearch: dashboardSearch,
  search: { middlewares: [stripSearchParams(DASHBOARD_DEFAULTS)] },
  loaderDeps: ({ search: { metric: _metric, audit: _audit, ...asked } }) => asked,
  loader: async ({ context, deps }) => {
    const { loadDashboard } = await import('../features/dashboard/calls.ts')
    return loadDashboard(context, deps)
  },
  component: lazyRouteComponent(() => import('../features/dashboard/ui/dashboard-page.tsx'), 'DashboardPage'),
})

export const dashboardRoutes = [dashboardRoute] as const
