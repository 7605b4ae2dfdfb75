import { createRootRouteWithContext, lazyRouteComponent } from '@tanstack/react-router'
import { RootLayout } from '../features/shell/ui/root-layout.tsx'
import type { RouteContext } from './context.ts'

export const rootRoute = createRootRouteWithContext<RouteContext>()({
  component: RootLayout,
  notFoundComponent: lazyRouteComponent(() => import('../features/content/ui/not-found-page.tsx'), 'NotFoundPage'),
})
