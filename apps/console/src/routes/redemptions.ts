import { can } from '@sluice/contract/capability'
import { createRoute, lazyRouteComponent, redirect, stripSearchParams } from '@tanstack/react-router'
import * as v from 'valibot'
import { LIST_DEFAULTS, listSearchEntries } from '../lib/list/list-search.ts'
import { rowIdParam } from '../lib/list/row-id.ts'
import { AFTER_SIGN_IN } from '../lib/session/redirect-target.ts'
import type { RouteContext } from './context.ts'
import { protectedRoute } from './protected.ts'

/** Whoever may not manage codes is led away: the gateway's refusal would read as a lost session. */
function beforeLoad({ context }: { context: RouteContext }): void {
  if (!can(context.session.get()?.role, 'redemptions.manage')) throw redirect({ href: AFTER_SIGN_IN, replace: true })
}

const redemptionListRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/redemptions',
  beforeLoad,
  validateSearch: v.object(listSearchEntries()),
  search: { middlewares: [stripSearchParams(LIST_DEFAULTS)] },
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps }) => {
    const { redemptionListQuery } = await import('../features/redemptions/api/redemption-list.ts')
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
  component: lazyRouteComponent(
    () => import('../features/redemptions/ui/redemption-create-page.tsx'),
    'RedemptionCreatePage',
  ),
})

const redemptionEditRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/redemptions/edit/$id',
  beforeLoad,
  params: rowIdParam,
  loader: async ({ context, params }) => {
    const { redemptionQuery } = await import('../features/redemptions/api/redemption-by-id.ts')
    context.queries.prefetch(redemptionQuery(context.call, params.id))
  },
  component: lazyRouteComponent(
    () => import('../features/redemptions/ui/redemption-edit-page.tsx'),
    'RedemptionEditPage',
  ),
})

export const redemptionRoutes = [redemptionListRoute, redemptionCreateRoute, redemptionEditRoute] as const
