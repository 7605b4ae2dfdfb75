import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router'
import * as v from 'valibot'
import { LIST_DEFAULTS, listSearchEntries } from '../lib/list/list-search.ts'
import { optionalRowId, rowIdParam } from '../lib/list/row-calls.ts'
import { protectedRoute } from './parents.ts'

const tokenListRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/tokens',
  validateSearch: v.object({
    ...listSearchEntries(),
    use: optionalRowId,
  }),
  search: { middlewares: [stripSearchParams(LIST_DEFAULTS)] },
  loaderDeps: ({ search: { use: _panel, ...list } }) => list,
  loader: async ({ context, deps }) => {
    const { tokenListQuery } = await import('../features/tokens/calls.ts')
    context.queries.prefetch(tokenListQuery(context.call, deps))
  },
  component: lazyRouteComponent(() => import('../features/tokens/ui/token-list-page.tsx'), 'TokenListPage'),
})

const tokenCreateRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/tokens/add',
  loader: async ({ context }) => {
    const { availableModelsQuery, usableGroupsQuery } = await import('../features/tokens/calls.ts')
    context.queries.prefetch(availableModelsQuery(context.call))
    context.queries.prefetch(usableGroupsQuery(context.call))
  },
  component: lazyRouteComponent(() => import('../features/tokens/ui/token-form.tsx'), 'TokenCreatePage'),
})

const tokenEditRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/tokens/edit/$id',
  params: rowIdParam,
  loader: async ({ context, params }) => {
    const { tokenQuery, availableModelsQuery, usableGroupsQuery } = await import('../features/tokens/calls.ts')
    context.queries.prefetch(tokenQuery(context.call, params.id))
    context.queries.prefetch(availableModelsQuery(context.call))
    context.queries.prefetch(usableGroupsQuery(context.call))
  },
  component: lazyRouteComponent(() => import('../features/tokens/ui/token-form.tsx'), 'TokenEditPage'),
})

export const tokenRoutes = [tokenListRoute, tokenCreateRoute, tokenEditRoute] as const
