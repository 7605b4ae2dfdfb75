import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

/**
 * After a navigation to another page the focus goes to its heading and the page is announced. Not on the first visit, not for
 * changes of the query alone, and not if a panel opened with the page: these must not lose the focus.
 */
export function useArrival() {
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
