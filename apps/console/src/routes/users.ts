import { can } from '@sluice/contract/capability'
import { createRoute, lazyRouteComponent, redirect, stripSearchParams } from '@tanstack/react-router'
import * as v from 'valibot'
import { LIST_DEFAULTS, listSearchEntries } from '../lib/list/list-search.ts'
import { optionalRowId, rowIdParam } from '../lib/list/row-id.ts'
import { AFTER_SIGN_IN } from '../lib/session/redirect-target.ts'
import type { RouteContext } from './context.ts'
import { protectedRoute } from './protected.ts'

/** Whoever may not manage users is led away: the gateway's refusal would read as a lost session. */
function beforeLoad({ context }: { context: RouteContext }): void {
  if (!can(context.session.get()?.role, 'users.manage')) throw redirect({ href: AFTER_SIGN_IN, replace: true })
}

const userListRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/users',
  beforeLoad,
  validateSearch: v.object({
    ...listSearchEntries(),
    /** User whose panel is open. */
    id: optionalRowId,
  }),
  search: { middlewares: [stripSearchParams(LIST_DEFAULTS)] },
  loaderDeps: ({ search: { id: _panel, ...list } }) => list,
  loader: async ({ context, deps }) => {
    const { userListQuery } = await import('../features/users/api/user-list.ts')
    context.queries.prefetch(userListQuery(context.call, deps))
  },
  component: lazyRouteComponent(() => import('../features/users/ui/user-list-page.tsx'), 'UserListPage'),
})

/** What both forms choose from. */
async function prefetchGroups({ call, queries }: RouteContext): Promise<void> {
  const { groupNamesQuery } = await import('../features/users/api/group-names.ts')
  queries.prefetch(groupNamesQuery(call))
}

const userCreateRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/users/add',
  beforeLoad,
  loader: ({ context }) => prefetchGroups(context),
  component: lazyRouteComponent(() => import('../features/users/ui/user-create-page.tsx'), 'UserCreatePage'),
})

const userEditRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/users/edit/$id',
  beforeLoad,
  params: rowIdParam,
  loader: async ({ context, params }) => {
    const [{ userQuery }] = await Promise.all([import('../features/users/api/user-by-id.ts'), prefetchGroups(context)])
    context.queries.prefetch(userQuery(context.call, params.id))
  },
  component: lazyRouteComponent(() => import('../features/users/ui/user-edit-page.tsx'), 'UserEditPage'),
})

export const userRoutes = [userListRoute, userCreateRoute, userEditRoute] as const
