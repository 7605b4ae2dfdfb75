import { createRootRouteWithContext, lazyRouteComponent } from '@tanstack/react-router'
import { RootLayout } from '../features/shell/ui/root-layout.tsx'
import type { Call } from '../lib/http/call.ts'
import type { Queries } from '../lib/query/queries.ts'
import type { Session } from '../lib/session/session.ts'

/** What every loader and guard may use. */
export interface RouteContext {
  readonly call: Call
  readonly queries: Queries
  readonly session: Session
}

export const rootRoute = createRootRouteWithContext<RouteContext>()({
  component: RootLayout,
  notFoundComponent: lazyRouteComponent(() => import('../features/content/ui/not-found-page.tsx'), 'NotFoundPage'),
})
