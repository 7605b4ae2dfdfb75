import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { protectedRoute } from './parents.ts'

const homeRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/',
  loader: async ({ context }) => {
    const { homeContentQuery } = await import('../features/content/calls.ts')
    context.queries.prefetch(homeContentQuery(context.call))
  },
  component: lazyRouteComponent(() => import('../features/content/ui/home-page.tsx'), 'HomePage'),
})

const aboutRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/about',
  loader: async ({ context }) => {
    const { aboutContentQuery } = await import('../features/content/calls.ts')
    context.queries.prefetch(aboutContentQuery(context.call))
  },
  component: lazyRouteComponent(() => import('../features/content/ui/about-page.tsx'), 'AboutPage'),
})

export const contentRoutes = [homeRoute, aboutRoute] as const
