import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router'
import * as v from 'valibot'
import { LIST_DEFAULTS, listSearchEntries } from '../lib/list/list-search.ts'
import { rowIdParam } from '../lib/list/row-calls.ts'
import { managersOnly, protectedRoute } from './parents.ts'

const beforeLoad = managersOnly('redemptions.manage')

const redemptionListRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/redemptions',
  beforeLoad,
  validateSearch: v.object(listSearchEntries()),
  search: { middlewares: [stripSearchParams(LIST_DEFAULTS)] },
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps }) => {
    const { redemptionListQuery } = await import('../features/redemptions/calls.ts')
    context.queries.prefetch(redemptionListQuery(context.call, deps))
  },
  component: lazyRouteComponent(
    () => import('../features/redemptions/ui/redemption-list-page.tsx'),
    'RedemptionListPage',
  ),
})

const redemptionCreateRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/redemptions/add',
  beforeLoad,
  component: lazyRouteComponent(() => import('../features/redemptions/ui/redemption-form.tsx'), 'RedemptionCreatePage'),
})

const redemptionEditRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/redemptions/edit/$id',
  beforeLoad,
  params: rowIdParam,
  loader: async ({ context, params }) => {
    const { redemptionQuery } = await import('../features/redemptions/calls.ts')
    context.queries.prefetch(redemptionQuery(context.call, params.id))
  },
  component: lazyRouteComponent(() => import('../features/redemptions/ui/redemption-form.tsx'), 'RedemptionEditPage'),
})

export const redemptionRoutes = [redemptionListRoute, redemptionCreateRoute, redemptionEditRoute] as const
