import { can, type Capability } from '@sluice/contract/capability'
import { createRoute, lazyRouteComponent, redirect, createRootRouteWithContext } from '@tanstack/react-router'
import * as v from 'valibot'
import { preloadSignedInParts, RootLayout } from '../features/shell/ui/root-layout.tsx'
import type { Call } from '../lib/http/call.ts'
import type { Queries } from '../lib/query/queries.ts'
import { AFTER_SIGN_IN } from '../lib/session/redirect-target.ts'
import type { Session } from '../lib/session/session.ts'
import { STORAGE_KEYS } from '../lib/storage/keys.ts'
import { browserStorage, storedRecord } from '../lib/storage/stored-record.ts'

export interface RouteContext {
  readonly call: Call
  readonly queries: Queries
  readonly session: Session
}

export const rootRoute = createRootRouteWithContext<RouteContext>()({
  component: RootLayout,
  notFoundComponent: lazyRouteComponent(() => import('../features/content/ui/not-found-page.tsx'), 'NotFoundPage'),
})

/** Parent of every screen that needs a user. Visitors go to sign-in, replacing history, and return to their path and query. */
export const protectedRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'protected',
  beforeLoad: ({ context, location }) => {
    if (context.session.get() === undefined) {
      throw redirect({ to: '/login', search: { redirect_to: location.href }, replace: true })
    }
  },
  loader: ({ context }) => loadSurroundings(context),
  component: lazyRouteComponent(() => import('./query-scope.tsx'), 'QueryScope'),
})

/** Parent of screens that visitors may see as well; signed-in users keep their navigation on them. */
export const publicRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'public',
  loader: ({ context }) => loadSurroundings(context),
  component: lazyRouteComponent(() => import('./query-scope.tsx'), 'QueryScope'),
})

async function loadSurroundings(context: RouteContext): Promise<void> {
  const frame = context.session.get() === undefined ? undefined : preloadSignedInParts()
  await Promise.all([frame, context.queries.client(), startAlarms(context), loadNotice()])
}

/**
 * Requests the alarms while the page loads and fetches their banner's code, so that the banner does not push the page down later.
 */
async function startAlarms({ call, queries, session }: RouteContext): Promise<void> {
  if (!can(session.get()?.role, 'alarms.manage')) return
  const code = import('../features/alarms/ui/alarm-banner.tsx')
  const { alarmBannerQuery } = await import('../features/alarms/calls.ts')
  queries.prefetch(alarmBannerQuery(call))
  await code
}

/** Fetches the notice's code if there was a notice at the last visit, so that it does not push the page down later. */
async function loadNotice(): Promise<void> {
  const known = storedRecord(browserStorage(), STORAGE_KEYS.status, v.object({ notice_id: v.string() })).read()
  if (known !== undefined && known.notice_id !== '') await import('../features/content/ui/notice-strip.tsx')
}

/** Redirects users without the capability, because the gateway's refusal would look like a lost session. */
export function managersOnly(capability: Capability) {
  return ({ context }: { context: RouteContext }): void => {
    if (!can(context.session.get()?.role, capability)) throw redirect({ href: AFTER_SIGN_IN, replace: true })
  }
}
