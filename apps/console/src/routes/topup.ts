import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { protectedRoute } from './parents.ts'

const topupRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/topup',
  loader: async ({ context }) => {
    const { balanceQuery, recentTopupsQuery } = await import('../features/topup/calls.ts')
    context.queries.prefetch(balanceQuery(context.call))
    context.queries.prefetch(recentTopupsQuery(context.call))
  },
  component: lazyRouteComponent(() => import('../features/topup/ui/topup-page.tsx'), 'TopupPage'),
})

export const topupRoutes = [topupRoute] as const
