import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import * as v from 'valibot'
import { AFTER_SIGN_IN } from '../lib/session/redirect-target.ts'
import { protectedRoute } from './protected.ts'
import { rootRoute } from './root.tsx'

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: v.object({ redirect_to: v.optional(v.fallback(v.string(), '')) }),
  component: lazyRouteComponent(() => import('../features/session/ui/login-page.tsx'), 'LoginPage'),
})

/** The home page has no content of its own yet: it leads to the dashboard. */
export const homeRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ href: AFTER_SIGN_IN, replace: true })
  },
})
