import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import * as v from 'valibot'
import { textParameter } from '../lib/navigation/exact-search.ts'
import { AFTER_SIGN_IN, safeRedirectTarget, isOpenedByLink } from '../lib/session/redirect-target.ts'
import { rootRoute } from './parents.ts'

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: v.object({ redirect_to: v.optional(v.fallback(v.string(), '')) }),
  // Redirects signed-in users, unless another screen has a message to show here or a link signs root in.
  beforeLoad: ({ context, search, location: { state, hash } }) => {
    if (isOpenedByLink(hash)) return
    if (context.session.get() === undefined || state.notice !== undefined || state.problem !== undefined) return
    throw redirect({ href: safeRedirectTarget(search.redirect_to) ?? AFTER_SIGN_IN, replace: true })
  },
  component: lazyRouteComponent(() => import('../features/session/ui/login-page.tsx'), 'LoginPage'),
})

const registerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/register',
  /** Invitation code. */
  validateSearch: v.object({ aff: textParameter }),
  component: lazyRouteComponent(() => import('../features/session/ui/register-page.tsx'), 'RegisterPage'),
})

const resetRequestRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset',
  component: lazyRouteComponent(() => import('../features/session/ui/reset-request-page.tsx'), 'ResetRequestPage'),
})

const resetCompletionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/user/reset',
  validateSearch: v.object({ email: textParameter, token: textParameter }),
  component: lazyRouteComponent(
    () => import('../features/session/ui/reset-completion-page.tsx'),
    'ResetCompletionPage',
  ),
})

export const sessionRoutes = [loginRoute, registerRoute, resetRequestRoute, resetCompletionRoute] as const

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
