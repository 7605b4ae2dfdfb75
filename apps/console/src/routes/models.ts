import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router'
import { MODELS_DEFAULTS, modelsSearch } from '../features/models/model/models-search.ts'
import { publicRoute } from './parents.ts'

const modelsRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/models',
  validateSearch: modelsSearch,
  search: { middlewares: [stripSearchParams(MODELS_DEFAULTS)] },
  loader: async ({ context }) => {
    const { priceListQuery } = await import('../features/models/calls.ts')
    context.queries.prefetch(priceListQuery(context.call, context.session.get()?.id))
  },
  component: lazyRouteComponent(() => import('../features/models/ui/models-page.tsx'), 'ModelsPage'),
})

export const modelsRoutes = [modelsRoute] as const
