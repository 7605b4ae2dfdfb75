import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

/**
 * After a move to another page the focus goes to its heading and the page is announced. Not on the first visit, not for
 * changes of the query alone, and not past a panel that opened with the page: they must not lose the focus.
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
