import { lazyRouteComponent, Outlet, useRouterState, useRouter } from '@tanstack/react-router'
import { Suspense, type ReactNode, lazy, useEffect, useRef, useState } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useUser } from '~/lib/session/session.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { useStore } from '~/lib/store.ts'
import { PageFrameContext } from '~/ui/page.tsx'
import { useToasts } from '~/ui/toast/toasts.ts'
import { shellTexts } from '../texts/shell-texts.ts'
import { Banners } from './banners.tsx'
import { VisitorLinks, Header } from './header.tsx'

const SignedInHeader = lazyRouteComponent(() => import('./signed-in-header.tsx'), 'SignedInHeader')
const NavigationSheet = lazyRouteComponent(() => import('./navigation-sheet.tsx'), 'NavigationSheet')
const SignedInRail = lazyRouteComponent(() => import('./signed-in-rail.tsx'), 'SignedInRail')

/** Loads what the frame of a signed-in user needs, which visitors at sign-in do not download. */
export async function preloadSignedInParts(): Promise<void> {
  await Promise.all([SignedInHeader.preload?.(), NavigationSheet.preload?.(), SignedInRail.preload?.()])
}

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

function ProgressLine() {
  const loading = useRouterState({ select: (state) => state.isLoading })
  if (!loading) return null
  return <div aria-hidden="true" className="bg-accent appear-late fixed inset-x-0 top-0 z-30 h-0.5 animate-pulse" />
}

interface FrameProps {
  readonly headerStart?: ReactNode
  readonly headerEnd: ReactNode
  readonly rail?: ReactNode
  readonly children: ReactNode
}

/** On tablets and wider screens it fills the window and the content scrolls inside. */
function Frame({ headerStart, headerEnd, rail, children }: FrameProps) {
  return (
    <div className="flex min-h-dvh flex-col md:h-dvh">
      <Header start={<Suspense>{headerStart}</Suspense>} end={<Suspense>{headerEnd}</Suspense>} />
      <div className="flex min-h-0 grow">
        <Suspense>{rail}</Suspense>
        <main
          id="main"
          tabIndex={-1}
          data-scroll-restoration-id="main"
          className="relative flex min-w-0 grow flex-col md:overflow-y-auto"
        >
          {children}
          <Footer />
        </main>
      </div>
    </div>
  )
}

const SafeHtml = lazy(async () => ({ default: (await import('~/ui/rich-content/safe-html.tsx')).SafeHtml }))

/** Hidden on phones, and while there is no page above it, which would push it down. */
function Footer() {
  const t = useTexts(shellTexts)
  const { system_name, version, footer_html } = useSystemStatus()
  return (
    <footer className="text-muted mt-auto hidden items-center justify-between gap-4 px-6 pb-3 text-xs md:not-only:flex">
      <span>
        © {new Date().getFullYear()} {system_name}
      </span>
      {footer_html.trim() !== '' && (
        <Suspense>
          <SafeHtml html={footer_html} inline />
        </Suspense>
      )}
      <span>{t.version(version)}</span>
    </footer>
  )
}

/**
 * After a navigation to another page, focuses its heading and announces it. Not on the first visit, for changes of the query alone,
 * or if a panel opened with the page: these must not lose the focus.
 */
function useArrival() {
  const router = useRouter()
  const moved = useRef(false)
  const [announced, setAnnounced] = useState('')
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ pathChanged, fromLocation }) => {
        if (pathChanged && fromLocation !== undefined) moved.current = true
      }),
    [router],
  )
  return {
    announced,
    onArrival: (heading: HTMLElement) => {
      if (!moved.current) return
      moved.current = false
      if (document.activeElement?.closest('dialog') == null) heading.focus({ preventScroll: true })
      setAnnounced(heading.textContent)
    },
  }
}

const ToastStack = lazy(async () => ({ default: (await import('~/ui/toast/toast-stack.tsx')).ToastStack }))

/** The code for toasts loads with the first one. */
function ToastRegion() {
  const any = useStore(useToasts()).length > 0
  const [needed, setNeeded] = useState(any)
  if (any && !needed) setNeeded(true)
  return needed ? (
    <Suspense>
      <ToastStack />
    </Suspense>
  ) : null
}
