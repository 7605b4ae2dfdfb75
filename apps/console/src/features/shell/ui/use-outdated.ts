import { useEffect, useState } from 'react'
import { BASE_PATH } from '~/lib/navigation/base-path.ts'

/** Shortest time between two checks of the server's version, in milliseconds. */
const LOOK_EVERY_MS = 5 * 60_000

/**
 * Whether the server has newer code than what is running here: checked when the visitor returns to the tab, every few minutes, and
 * when a code file cannot be loaded.
 */
export function useOutdated(): { readonly outdated: boolean; readonly later: () => void } {
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
      // The router would otherwise reload the page, losing what is being typed; its own marker makes it believe that it already
      // has.
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
