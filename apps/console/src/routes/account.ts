import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { protectedRoute } from './parents.ts'

const ownAccountRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/users/edit',
  loader: async ({ context }) => {
    const { ownAccountQuery } = await import('../features/account/calls.ts')
    context.queries.prefetch(ownAccountQuery(context.call))
  },
  component: lazyRouteComponent(() => import('../features/account/ui/own-profile.tsx'), 'OwnAccountPage'),
})

export const accountRoutes = [ownAccountRoute] as const
