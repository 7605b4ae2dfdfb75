import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router'
import * as v from 'valibot'
import { EXPLAIN_DEFAULTS, explainSearch } from '../features/channels/model/explain-search.ts'
import { LIST_DEFAULTS, listSearchEntries } from '../lib/list/list-search.ts'
import { optionalRowId, rowIdParam } from '../lib/list/row-calls.ts'
import { managersOnly, protectedRoute, type RouteContext } from './parents.ts'

const beforeLoad = managersOnly('channels.manage')

const channelListRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/channels',
  beforeLoad,
  validateSearch: v.object({
    ...listSearchEntries(),
    health: optionalRowId,
    keys: optionalRowId,
  }),
  search: { middlewares: [stripSearchParams(LIST_DEFAULTS)] },
  loaderDeps: ({ search: { health: _health, keys: _keys, ...list } }) => list,
  loader: async ({ context, deps }) => {
    const { channelListQuery, channelHealthQuery } = await import('../features/channels/calls.ts')
    context.queries.prefetch(channelListQuery(context.call, deps))
    context.queries.prefetch(channelHealthQuery(context.call))
  },
  component: lazyRouteComponent(() => import('../features/channels/ui/list/channel-list-page.tsx'), 'ChannelListPage'),
})

async function prefetchChoices({ call, queries }: RouteContext): Promise<void> {
  const { groupNamesQuery, knownModelsQuery } = await import('../features/channels/calls.ts')
  queries.prefetch(knownModelsQuery(call))
  queries.prefetch(groupNamesQuery(call))
}

const channelCreateRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/channels/add',
  beforeLoad,
  loader: ({ context }) => prefetchChoices(context),
  component: lazyRouteComponent(() => import('../features/channels/ui/form/channel-pages.tsx'), 'ChannelCreatePage'),
})

const channelEditRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/channels/edit/$id',
  beforeLoad,
  params: rowIdParam,
  loader: async ({ context, params }) => {
    const [{ channelQuery }] = await Promise.all([import('../features/channels/calls.ts'), prefetchChoices(context)])
    context.queries.prefetch(channelQuery(context.call, params.id))
  },
  component: lazyRouteComponent(() => import('../features/channels/ui/form/channel-pages.tsx'), 'ChannelEditPage'),
})

const explainRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/channels/explain',
  beforeLoad,
  validateSearch: explainSearch,
  search: { middlewares: [stripSearchParams(EXPLAIN_DEFAULTS)] },
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps }) => {
    const [{ explainQuery }] = await Promise.all([import('../features/channels/calls.ts'), prefetchChoices(context)])
    if (deps.model !== '' && deps.request === '') context.queries.prefetch(explainQuery(context.call, deps))
  },
  component: lazyRouteComponent(() => import('../features/channels/ui/explain/explain-page.tsx'), 'ExplainPage'),
})

export const channelRoutes = [channelListRoute, channelCreateRoute, channelEditRoute, explainRoute] as const
