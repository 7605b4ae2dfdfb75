import { can } from '@sluice/contract/capability'
import { createRoute, lazyRouteComponent, redirect, stripSearchParams } from '@tanstack/react-router'
import * as v from 'valibot'
import { LIST_DEFAULTS, listSearchEntries } from '../lib/list/list-search.ts'
import { AFTER_SIGN_IN } from '../lib/session/redirect-target.ts'
import { protectedRoute } from './protected.ts'

const alarmListRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/alarms',
  beforeLoad: ({ context }) => {
    if (!can(context.session.get()?.role, 'alarms.manage')) throw redirect({ href: AFTER_SIGN_IN, replace: true })
  },
  validateSearch: v.object(listSearchEntries()),
  search: { middlewares: [stripSearchParams(LIST_DEFAULTS)] },
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps }) => {
    const { alarmListQuery } = await import('../features/alarms/api/alarm-list.ts')
    context.queries.prefetch(alarmListQuery(context.call, deps))
  },
  component: lazyRouteComponent(() => import('../features/alarms/ui/alarm-list-page.tsx'), 'AlarmListPage'),
})

export const alarmRoutes = [alarmListRoute] as const
