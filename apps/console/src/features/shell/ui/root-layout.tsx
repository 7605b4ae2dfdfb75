import { lazyRouteComponent, Outlet, useRouterState } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { useUser } from '../../../lib/session/use-session.ts'
import { useSystemStatus } from '../../../lib/status/system-status.ts'
import { TitleSuffixContext } from '../../../ui/page-title.ts'
import { ToastRegion } from '../../../ui/toast/toast-region.tsx'
import { shellTexts } from '../texts/shell-texts.ts'
import { Banners } from './banners.tsx'
import { Frame } from './frame.tsx'
import { VisitorLinks } from './header.tsx'
import { RouteAnnouncer } from './route-announcer.tsx'

/** Loaded beside the page of the first visit, see `protectedRoute`. */
export const SignedInFrame = lazyRouteComponent(() => import('./signed-in-frame.tsx'), 'SignedInFrame')

/** What surrounds every screen. */
export function RootLayout() {
  return (
    <Suspense>
      <Surroundings />
    </Suspense>
  )
}

function Surroundings() {
  const t = useTexts(shellTexts)
  const user = useUser()
  const { system_name } = useSystemStatus()
  const page = (
    <Suspense>
      <Outlet />
    </Suspense>
  )
  return (
    <TitleSuffixContext value={system_name}>
      <a
        href="#main"
        className="bg-accent-solid fixed top-2 left-2 z-20 -translate-y-16 rounded-md px-3 py-2 text-sm text-white focus:translate-y-0"
      >
        {t.skip}
      </a>
      <ProgressLine />
      <Banners />
      {user === undefined ? (
        <Frame headerEnd={<VisitorLinks />}>{page}</Frame>
      ) : (
        <SignedInFrame user={user}>{page}</SignedInFrame>
      )}
      <RouteAnnouncer />
      <ToastRegion />
    </TitleSuffixContext>
  )
}

/** Says that the next page is on its way, once that takes a noticeable time. */
function ProgressLine() {
  const loading = useRouterState({ select: (state) => state.isLoading })
  if (!loading) return null
  return <div aria-hidden="true" className="bg-accent appear-late fixed inset-x-0 top-0 z-30 h-0.5 animate-pulse" />
}
