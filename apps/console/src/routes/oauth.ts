import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { textParameter } from '../lib/navigation/exact-search.ts'
import { rootRoute } from './root.tsx'

/** The parameters of a provider's redirect. */
const validateSearch = v.object({ code: textParameter, state: textParameter, iss: textParameter })
const pages = () => import('../features/session/ui/provider-callback-page.tsx')

const gitHubRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/oauth/github',
  validateSearch,
  component: lazyRouteComponent(pages, 'GitHubCallbackPage'),
})

const larkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/oauth/lark',
  validateSearch,
  component: lazyRouteComponent(pages, 'LarkCallbackPage'),
})

const oidcRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/oauth/oidc',
  validateSearch,
  component: lazyRouteComponent(pages, 'OidcCallbackPage'),
})

export const oauthRoutes = [gitHubRoute, larkRoute, oidcRoute] as const
