import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/**
 * After a move to another page, the focus goes to its heading and the page is announced. Not for changes of the query
 * alone: a filter or a panel must not take the focus away.
 */
export function RouteAnnouncer() {
  const router = useRouter()
  const [announced, setAnnounced] = useState('')
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        if (!pathChanged || fromLocation === undefined) return
        const main = document.querySelector<HTMLElement>('main')
        const heading = main?.querySelector<HTMLElement>('h1') ?? main
        heading?.focus({ preventScroll: true })
        setAnnounced(heading?.textContent ?? '')
      }),
    [router],
  )
  return (
    <div aria-live="polite" className="sr-only">
      {announced}
    </div>
  )
}
