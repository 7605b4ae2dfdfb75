import { useEffect, useState, useSyncExternalStore } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { shellTexts } from '../texts/shell-texts.ts'
import { useOutdated } from './use-outdated.ts'

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

/** How long the restored connection is announced, in milliseconds. */
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
