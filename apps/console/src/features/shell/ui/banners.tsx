'use no memo' // Every first visit downloads this file, see README: memo code would cost more than it saves here.

import { useEffect, useState, useSyncExternalStore } from 'react'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { shellTexts } from '../texts/shell-texts.ts'

/** Strips above the header: no connection, and code on the server that is newer than what runs here. */
export function Banners() {
  const t = useTexts(shellTexts)
  const online = useSyncExternalStore(subscribeToConnection, () => navigator.onLine)
  const outdated = useOutdated()
  if (online && !outdated) return null
  return (
    <div
      role="status"
      className="bg-warn-soft text-warn flex flex-wrap items-center justify-center gap-3 px-4 py-1.5 text-sm"
    >
      {online ? t.newVersion : t.offline}
      {online && (
        <Button size="small" onClick={() => window.location.reload()}>
          {t.reload}
        </Button>
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

/** True once a code file of this version is gone from the server, which is what a new deployment looks like. */
function useOutdated(): boolean {
  const [outdated, setOutdated] = useState(false)
  useEffect(() => {
    const onFailure = () => setOutdated(navigator.onLine)
    window.addEventListener('vite:preloadError', onFailure)
    return () => window.removeEventListener('vite:preloadError', onFailure)
  }, [])
  return outdated
}
