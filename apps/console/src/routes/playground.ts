import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router'
import * as v from 'valibot'
import { textParameter } from '../lib/navigation/exact-search.ts'
import { protectedRoute } from './parents.ts'

/** A link can specify the question, the model and the token. The choices are stored in the browser, as specified. */
const chatSearch = v.object({
  model: textParameter,
  with: textParameter,
  token: textParameter,
  prompt: textParameter,
  conversation: textParameter,
})

const chatRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/chat',
  validateSearch: chatSearch,
  search: { middlewares: [stripSearchParams({ model: '', with: '', token: '', prompt: '', conversation: '' })] },
  loader: async ({ context }) => {
    const { FIRST_TOKENS, usableTokensQuery, channelModelsQuery, entitledModelsQuery } =
      await import('../features/playground/calls.ts')
    context.queries.prefetch(usableTokensQuery(context.call, FIRST_TOKENS))
    context.queries.prefetch(entitledModelsQuery(context.call))
    context.queries.prefetch(channelModelsQuery(context.call))
  },
  component: lazyRouteComponent(() => import('../features/playground/ui/playground-page.tsx'), 'PlaygroundPage'),
})

export const playgroundRoutes = [chatRoute] as const
