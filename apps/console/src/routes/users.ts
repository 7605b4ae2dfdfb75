import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router'
import * as v from 'valibot'
import { LIST_DEFAULTS, listSearchEntries } from '../lib/list/list-search.ts'
import { optionalRowId, rowIdParam } from '../lib/list/row-calls.ts'
import { managersOnly, protectedRoute, type RouteContext } from './parents.ts'

const beforeLoad = managersOnly('users.manage')

const userListRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/users',
  beforeLoad,
  validateSearch: v.object({
    ...listSearchEntries(),
    id: optionalRowId,
  }),
  search: { middlewares: [stripSearchParams(LIST_DEFAULTS)] },
  loaderDeps: ({ search: { id: _panel, ...list } }) => list,
  loader: async ({ context, deps }) => {
    const { userListQuery } = await import('../features/users/calls.ts')
    context.queries.prefetch(userListQuery(context.call, deps))
  },
  component: lazyRouteComponent(() => import('../features/users/ui/user-list-page.tsx'), 'UserListPage'),
})

async function prefetchGroups({ call, queries }: RouteContext): Promise<void> {
  const { groupNamesQuery } = await import('../features/users/calls.ts')
  queries.prefetch(groupNamesQuery(call))
}

const userCreateRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/users/add',
  beforeLoad,
  loader: ({ context }) => prefetchGroups(context),
  component: lazyRouteComponent(() => import('../features/users/ui/user-form.tsx'), 'UserCreatePage'),
})

const userEditRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/users/edit/$id',
  beforeLoad,
  params: rowIdParam,
  loader: async ({ context, params }) => {
    const [{ userQuery }] = await Promise.all([import('../features/users/calls.ts'), prefetchGroups(context)])
    context.queries.prefetch(userQuery(context.call, params.id))
  },
  component: lazyRouteComponent(() => import('../features/users/ui/user-form.tsx'), 'UserEditPage'),
})

export const userRoutes = [userListRoute, userCreateRoute, userEditRoute] as const
