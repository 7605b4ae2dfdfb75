import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router'
import { STATUS_DEFAULTS, statusSearch } from '../features/status/model/status-search.ts'
import { publicRoute } from './parents.ts'

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
