import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router'
import * as v from 'valibot'
import { LIST_DEFAULTS, listSearchEntries } from '../lib/list/list-search.ts'
import { managersOnly, protectedRoute } from './parents.ts'

const alarmListRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/alarms',
  beforeLoad: managersOnly('alarms.manage'),
  validateSearch: v.object(listSearchEntries()),
  search: { middlewares: [stripSearchParams(LIST_DEFAULTS)] },
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps }) => {
    const { alarmListQuery } = await import('../features/alarms/calls.ts')
    context.queries.prefetch(alarmListQuery(context.call, deps))
  },
  component: lazyRouteComponent(() => import('../features/alarms/ui/alarm-list-page.tsx'), 'AlarmListPage'),
})

export const alarmRoutes = [alarmListRoute] as const
