import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadSurroundings } from './protected.ts'
import { rootRoute } from './root.tsx'

/** Parent of the screens that visitors may see as well; signed-in users keep their navigation there. */
export const publicRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'public',
  loader: ({ context }) => loadSurroundings(context),
  component: lazyRouteComponent(() => import('./query-scope.tsx'), 'QueryScope'),
})
