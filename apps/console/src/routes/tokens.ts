import { TOKEN_SORTS } from '@sluice/contract/routes/tokens'
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router'
import * as v from 'valibot'
import { availableModelsQuery } from '../features/tokens/api/available-models.ts'
import { tokenQuery } from '../features/tokens/api/token-by-id.ts'
import { tokenListQuery } from '../features/tokens/api/token-list.ts'
import { LIST_DEFAULTS, listSearchEntries } from '../lib/list/list-search.ts'
import { protectedRoute } from './protected.ts'

const rowIdFromAddress = v.pipe(v.number(), v.integer(), v.minValue(1))

const tokenListRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/tokens',
  validateSearch: v.object({
    ...listSearchEntries(TOKEN_SORTS),
    /** Token whose panel "how to use it" is open. */
    use: v.optional(v.fallback(v.optional(rowIdFromAddress), undefined)),
  }),
  search: { middlewares: [stripSearchParams(LIST_DEFAULTS)] },
  loaderDeps: ({ search: { use: _panel, ...list } }) => list,
  loader: ({ context, deps }) => context.queries.prefetch(tokenListQuery(context.call, deps)),
  component: lazyRouteComponent(() => import('../features/tokens/ui/token-list-page.tsx'), 'TokenListPage'),
})

const tokenCreateRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/tokens/add',
  loader: ({ context }) => context.queries.prefetch(availableModelsQuery(context.call)),
  component: lazyRouteComponent(() => import('../features/tokens/ui/token-create-page.tsx'), 'TokenCreatePage'),
})

const tokenEditRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/tokens/edit/$id',
  params: {
    parse: ({ id }) => ({ id: v.parse(v.pipe(v.string(), v.digits(), v.transform(Number), rowIdFromAddress), id) }),
    stringify: ({ id }) => ({ id: String(id) }),
  },
  loader: ({ context, params }) => {
    context.queries.prefetch(tokenQuery(context.call, params.id))
    context.queries.prefetch(availableModelsQuery(context.call))
  },
  component: lazyRouteComponent(() => import('../features/tokens/ui/token-edit-page.tsx'), 'TokenEditPage'),
})

export const tokenRoutes = [tokenListRoute, tokenCreateRoute, tokenEditRoute] as const
