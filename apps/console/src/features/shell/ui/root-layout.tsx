import { lazyRouteComponent, Outlet, useRouterState } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useUser } from '~/lib/session/use-session.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { PageFrameContext } from '~/ui/page-frame-context.ts'
import { ToastRegion } from '~/ui/toast/toast-region.tsx'
import { shellTexts } from '../texts/shell-texts.ts'
import { Banners } from './banners.tsx'
import { Frame } from './frame.tsx'
import { VisitorLinks } from './header.tsx'
import { useArrival } from './use-arrival.ts'

const SignedInHeader = lazyRouteComponent(() => import('./signed-in-header.tsx'), 'SignedInHeader')
const NavigationSheet = lazyRouteComponent(() => import('./navigation-sheet.tsx'), 'NavigationSheet')
const SignedInRail = lazyRouteComponent(() => import('./signed-in-rail.tsx'), 'SignedInRail')

/** Loads what the frame of a signed-in user needs; visitors at sign-in do not pay for it. */
export async function preloadSignedInParts(): Promise<void> {
  await Promise.all([SignedInHeader.preload?.(), NavigationSheet.preload?.(), SignedInRail.preload?.()])
}

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
  const { announced, onArrival } = useArrival()
  return (
    <PageFrameContext value={{ titleSuffix: system_name, onArrival }}>
      <a
        href="#main"
        className="bg-accent-solid fixed top-2 left-2 z-20 -translate-y-16 rounded-md px-3 py-2 text-sm text-white focus:translate-y-0"
      >
        {t.skip}
      </a>
      <ProgressLine />
      <Banners />
      {/* One frame for everyone, so that signing in or out does not rebuild the page. */}
      <Frame
        headerStart={user !== undefined && <NavigationSheet />}
        headerEnd={user === undefined ? <VisitorLinks /> : <SignedInHeader user={user} />}
        rail={user !== undefined && <SignedInRail />}
      >
        <Suspense>
          <Outlet />
        </Suspense>
      </Frame>
      <div aria-live="polite" className="sr-only">
        {announced}
      </div>
      <ToastRegion />
    </PageFrameContext>
  )
}

/** Shows that the next page is loading, once that takes a noticeable time. */
function ProgressLine() {
  const loading = useRouterState({ select: (state) => state.isLoading })
  if (!loading) return null
  return <div aria-hidden="true" className="bg-accent appear-late fixed inset-x-0 top-0 z-30 h-0.5 animate-pulse" />
}
