import { useEffect, useState, useSyncExternalStore } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { BASE_PATH } from '~/lib/navigation/base-path.ts'
import { Button } from '~/ui/button.tsx'
import { shellTexts } from '../texts/shell-texts.ts'

/** Floats over the page, so that nothing moves: connection lost, connection restored, newer code on the server. */
export function Banners() {
  const t = useTexts(shellTexts)
  const online = useSyncExternalStore(subscribeToConnection, () => navigator.onLine)
  const isBack = useIsBack(online)
  const { outdated, later } = useOutdated()
  return (
    <div
      role="status"
      className="bg-warn-soft text-warn border-warn/40 shadow-float fixed inset-x-4 bottom-4 z-20 mx-auto flex w-fit flex-wrap items-center justify-center gap-x-3 gap-y-1 rounded-xl border px-4 py-2 text-sm empty:hidden"
    >
      {!online && t.offline}
      {online && isBack && !outdated && t.online}
      {online && outdated && (
        <>
          {t.newVersion}
          <Button size="small" onClick={() => window.location.reload()}>
            {t.reload}
          </Button>
          <Button size="small" variant="ghost" onClick={later}>
            {t.later}
          </Button>
        </>
      )}
    </div>
  )
}

function subscribeToConnection(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

const BACK_MS = 4_000

function useIsBack(online: boolean): boolean {
  const [was, setWas] = useState(online)
  const [isBack, setIsBack] = useState(false)
  if (was !== online) {
    setWas(online)
    setIsBack(online)
  }
  useEffect(() => {
    if (!isBack) return
    const timer = setTimeout(() => setIsBack(false), BACK_MS)
    return () => clearTimeout(timer)
  }, [isBack])
  return isBack
}

/** Shortest time between two checks of the server's version, in milliseconds. */
const LOOK_EVERY_MS = 5 * 60_000

/** Checked when the visitor returns to the tab, every few minutes, and when a code file cannot be loaded. */
function useOutdated(): { readonly outdated: boolean; readonly later: () => void } {
  const [outdated, setOutdated] = useState(false)
  useEffect(() => {
    let lookedAt = Date.now()
    const look = async () => {
      lookedAt = Date.now()
      if (await isReplaced()) setOutdated(true)
    }
    const isVisible = () => document.visibilityState === 'visible'
    const onReturn = () => {
      if (isVisible() && Date.now() - lookedAt >= LOOK_EVERY_MS) void look()
    }
    const onMissingCode = (event: VitePreloadErrorEvent) => {
      void look()
      // Without this mark, the router would reload the page and lose what is being typed.
      sessionStorage.setItem(`tanstack_router_reload:${event.payload.message}`, '1')
    }
    const timer = setInterval(() => isVisible() && void look(), LOOK_EVERY_MS)
    document.addEventListener('visibilitychange', onReturn)
    window.addEventListener('vite:preloadError', onMissingCode)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onReturn)
      window.removeEventListener('vite:preloadError', onMissingCode)
    }
  }, [])
  return { outdated, later: () => setOutdated(false) }
}

const ENTRY = /<script type="module"[^>]* src="([^"]+)"/

/** The document names the entry file, whose name contains the digest of its content. */
async function isReplaced(): Promise<boolean> {
  const running = document.querySelector<HTMLScriptElement>('script[type=module][src]')
  try {
    const response = await fetch(`${BASE_PATH}/`, { cache: 'no-store', signal: AbortSignal.timeout(10_000) })
    const entry = response.ok ? ENTRY.exec(await response.text())?.[1] : undefined
    return entry !== undefined && running !== null && entry !== running.getAttribute('src')
  } catch {
    return false
  }
}
