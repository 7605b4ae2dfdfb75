import { createRouter } from '@tanstack/react-router'
import { BASE_PATH } from '../lib/navigation/base-path.ts'
import { exactSearch } from '../lib/navigation/exact-search.ts'
import { accountRoutes, topupRoutes, settingsRoutes } from '../routes/account.ts'
import { alarmRoutes, doctorRoutes, importRoutes } from '../routes/administration.ts'
import { channelRoutes } from '../routes/channels.ts'
import { logRoutes } from '../routes/logs.ts'
import { contentRoutes, dashboardRoutes, modelsRoutes, statusRoutes } from '../routes/overview.ts'
import { protectedRoute, publicRoute, type RouteContext, rootRoute } from '../routes/parents.ts'
import { playgroundRoutes } from '../routes/playground.ts'
import { redemptionRoutes } from '../routes/redemptions.ts'
import { oauthRoutes, sessionRoutes } from '../routes/session.ts'
import { tokenRoutes } from '../routes/tokens.ts'
import { userRoutes } from '../routes/users.ts'
import { PageFailure } from '../ui/page-failure.tsx'

/** All routes of the console: add a route to the list of its area, or add its area here. */
const routeTree = rootRoute.addChildren([
  ...sessionRoutes,
  ...oauthRoutes,
  publicRoute.addChildren([...modelsRoutes, ...statusRoutes]),
  protectedRoute.addChildren([
    ...contentRoutes,
    ...dashboardRoutes,
    ...tokenRoutes,
    ...logRoutes,
    ...channelRoutes,
    ...userRoutes,
    ...redemptionRoutes,
    ...alarmRoutes,
    ...doctorRoutes,
    ...importRoutes,
    ...accountRoutes,
    ...settingsRoutes,
    ...topupRoutes,
    ...playgroundRoutes,
  ]),
])

export function createConsoleRouter(context: RouteContext) {
  return createRouter({
    routeTree,
    context,
    basepath: BASE_PATH || '/',
    ...exactSearch,
    defaultPreload: 'intent',
    // Inside the frame, so that the navigation stays. Not lazy, because it is shown when code cannot be loaded.
    defaultErrorComponent: PageFailure,
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    // Otherwise a new page, or the next page of a list, starts at the previous scroll position.
    scrollToTopSelectors: ['[data-scroll-restoration-id=main]', '[data-scroll-restoration-id=table]'],
    // The old content stays until the new page is ready; the progress line shows that something is happening.
    defaultPendingMs: 60_000,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
  interface HistoryState {
    /** A success message passed on to the next screen. */
    notice?: string
    /** A message about what failed on the previous screen. */
    problem?: string
    /** Why the visitor has to sign in: the session ended without a sign-out. */
    ended?: boolean
  }
}
