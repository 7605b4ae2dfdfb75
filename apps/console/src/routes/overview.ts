import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router'
import { DASHBOARD_DEFAULTS, dashboardSearch } from '../features/dashboard/model/search.ts'
import { MODELS_DEFAULTS, modelsSearch } from '../features/models/model/models-search.ts'
import { STATUS_DEFAULTS, statusSearch } from '../features/status/model/status-search.ts'
import { protectedRoute, publicRoute } from './parents.ts'

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

const homeRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/',
  loader: async ({ context }) => {
    const { homeContentQuery } = await import('../features/content/calls.ts')
    context.queries.prefetch(homeContentQuery(context.call))
  },
  component: lazyRouteComponent(() => import('../features/content/ui/home-page.tsx'), 'HomePage'),
})

const aboutRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/about',
  loader: async ({ context }) => {
    const { aboutContentQuery } = await import('../features/content/calls.ts')
    context.queries.prefetch(aboutContentQuery(context.call))
  },
  component: lazyRouteComponent(() => import('../features/content/ui/about-page.tsx'), 'AboutPage'),
})

export const contentRoutes = [homeRoute, aboutRoute] as const

const modelsRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/models',
  validateSearch: modelsSearch,
  search: { middlewares: [stripSearchParams(MODELS_DEFAULTS)] },
  loader: async ({ context }) => {
    const { priceListQuery } = await import('../features/models/calls.ts')
    context.queries.prefetch(priceListQuery(context.call, context.session.get()?.id))
  },
  component: lazyRouteComponent(() => import('../features/models/ui/models-page.tsx'), 'ModelsPage'),
})

export const modelsRoutes = [modelsRoute] as const

const statusRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/status',
  validateSearch: statusSearch,
  search: { middlewares: [stripSearchParams(STATUS_DEFAULTS)] },
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps }) => {
    const { channelStatusQuery } = await import('../features/status/calls.ts')
    context.queries.prefetch(channelStatusQuery(context.call, deps))
  },
  component: lazyRouteComponent(() => import('../features/status/ui/status-page.tsx'), 'StatusPage'),
})

export const statusRoutes = [statusRoute] as const
