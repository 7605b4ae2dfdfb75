import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router'
import { SESSION_DEFAULTS, sessionSearch } from '../features/sessions/model/session-search.ts'
import { protectedRoute } from './protected.ts'

const sessionListRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/sessions',
  validateSearch: sessionSearch,
  search: { middlewares: [stripSearchParams(SESSION_DEFAULTS)] },
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps }) => (await import('../features/sessions/calls.ts')).prefetchSessions(context, deps),
  component: lazyRouteComponent(() => import('../features/sessions/ui/session-list-page.tsx'), 'SessionListPage'),
})

export const usageSessionRoutes = [sessionListRoute] as const
