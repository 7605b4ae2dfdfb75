import { can } from '@sluice/contract/capability'
import { createRoute, lazyRouteComponent, redirect, stripSearchParams } from '@tanstack/react-router'
import * as v from 'valibot'
import { EXPLAIN_DEFAULTS, explainSearch } from '../features/channels/model/explain-search.ts'
import { LIST_DEFAULTS, listSearchEntries } from '../lib/list/list-search.ts'
import { optionalRowId, rowIdParam } from '../lib/list/row-id.ts'
import { AFTER_SIGN_IN } from '../lib/session/redirect-target.ts'
import type { RouteContext } from './context.ts'
import { protectedRoute } from './protected.ts'

/** Whoever may not manage channels is led away: the gateway's refusal would read as a lost session. */
function beforeLoad({ context }: { context: RouteContext }): void {
  if (!can(context.session.get()?.role, 'channels.manage')) throw redirect({ href: AFTER_SIGN_IN, replace: true })
}

const channelListRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/channels',
  beforeLoad,
  validateSearch: v.object({
    ...listSearchEntries(),
    /** Channel whose health is shown in the panel. */
    health: optionalRowId,
    /** Channel whose keys are. */
    keys: optionalRowId,
  }),
  search: { middlewares: [stripSearchParams(LIST_DEFAULTS)] },
  loaderDeps: ({ search: { health: _health, keys: _keys, ...list } }) => list,
  loader: async ({ context, deps }) => {
    const [{ channelListQuery }, { channelHealthQuery }] = await Promise.all([
      import('../features/channels/api/channel-list.ts'),
      import('../features/channels/api/channel-health.ts'),
    ])
    context.queries.prefetch(channelListQuery(context.call, deps))
    context.queries.prefetch(channelHealthQuery(context.call))
  },
  component: lazyRouteComponent(() => import('../features/channels/ui/channel-list-page.tsx'), 'ChannelListPage'),
})

/** What both forms choose from. */
async function prefetchChoices({ call, queries }: RouteContext): Promise<void> {
  const { groupNamesQuery, knownModelsQuery } = await import('../features/channels/api/choices.ts')
  queries.prefetch(knownModelsQuery(call))
  queries.prefetch(groupNamesQuery(call))
}

const channelCreateRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/channels/add',
  beforeLoad,
  loader: ({ context }) => prefetchChoices(context),
  component: lazyRouteComponent(() => import('../features/channels/ui/channel-create-page.tsx'), 'ChannelCreatePage'),
})

const channelEditRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/channels/edit/$id',
  beforeLoad,
  params: rowIdParam,
  loader: async ({ context, params }) => {
    const [{ channelQuery }] = await Promise.all([
      import('../features/channels/api/channel-by-id.ts'),
      prefetchChoices(context),
    ])
    context.queries.prefetch(channelQuery(context.call, params.id))
  },
  component: lazyRouteComponent(() => import('../features/channels/ui/channel-edit-page.tsx'), 'ChannelEditPage'),
})

const explainRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/channels/explain',
  beforeLoad,
  validateSearch: explainSearch,
  search: { middlewares: [stripSearchParams(EXPLAIN_DEFAULTS)] },
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps }) => {
    const [{ explainQuery }] = await Promise.all([
      import('../features/channels/api/explain.ts'),
      prefetchChoices(context),
    ])
    if (deps.model !== '' && deps.request === '') context.queries.prefetch(explainQuery(context.call, deps))
  },
  component: lazyRouteComponent(() => import('../features/channels/ui/explain-page.tsx'), 'ExplainPage'),
})

export const channelRoutes = [channelListRoute, channelCreateRoute, channelEditRoute, explainRoute] as const
