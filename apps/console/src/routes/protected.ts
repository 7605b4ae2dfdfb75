import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { preloadSignedInParts } from '../features/shell/ui/root-layout.tsx'
import { rootRoute } from './root.tsx'

/**
 * Parent of every screen that needs a signed-in user. Visitors go to sign-in, replacing history, and come back to the
 * path and query they asked for.
 */
export const protectedRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'protected',
  beforeLoad: ({ context, location }) => {
    if (context.session.get() === undefined) {
      throw redirect({ to: '/login', search: { redirect_to: location.href }, replace: true })
    }
  },
  loader: async ({ context }) => {
    await Promise.all([preloadSignedInParts(), context.queries.client()])
  },
  component: lazyRouteComponent(() => import('./query-scope.tsx'), 'QueryScope'),
})
