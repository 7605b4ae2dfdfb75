import { can } from '@sluice/contract/capability'
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router'
import * as v from 'valibot'
import { LOG_DEFAULTS, logSearch } from '../features/logs/model/filters/log-search.ts'
import { SESSION_DEFAULTS, sessionSearch } from '../features/sessions/model/session-search.ts'
import { protectedRoute } from './parents.ts'

const logListRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/logs',
  validateSearch: logSearch,
  search: { middlewares: [stripSearchParams(LOG_DEFAULTS)] },
  loaderDeps: ({ search: { id: _panel, stats: _stats, chart: _chart, live: _live, ...list } }) => list,
  loader: async ({ context, deps, location }) => {
    const { logListQuery, logHistogramQuery } = await import('../features/logs/calls.ts')
    const seesAll = can(context.session.get()?.role, 'logs.all')
    context.queries.prefetch(logListQuery(context.call, deps, seesAll, Date.now))
    const { chart } = v.parse(logSearch, location.search)
    if (deps.keyword === '' && chart !== 'off') {
      context.queries.prefetch(logHistogramQuery(context.call, deps, seesAll, Date.now))
    }
    return { now: Date.now() }
  },
  component: lazyRouteComponent(() => import('../features/logs/ui/log-list-page.tsx'), 'LogListPage'),
})

// No loader, which would be part of every sign-in: only the logs link to this page.
const sessionListRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/sessions',
  validateSearch: sessionSearch,
  search: { middlewares: [stripSearchParams(SESSION_DEFAULTS)] },
  component: lazyRouteComponent(() => import('../features/sessions/ui/session-list-page.tsx'), 'SessionListPage'),
})

export const logRoutes = [logListRoute, sessionListRoute] as const
