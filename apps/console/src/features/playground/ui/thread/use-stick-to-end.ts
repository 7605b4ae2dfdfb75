import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Pixels from the end that still count as the end: sub-pixel heights, and a reader who scrolled almost there. */
const SLACK = 24

interface StickToEnd {
  readonly atEnd: boolean
  toEnd(): void
}

/**
 * Keeps a scroller at its end while its content grows, until the reader scrolls up; scrolling to the end takes it up again, and
 * so does another `newest`. The scroller holds one element, whose height is watched.
 */
export function useStickToEnd(scroller: RefObject<HTMLElement | null>, newest: string): StickToEnd {
  const [atEnd, setAtEnd] = useState(true)
  const sticks = useRef(true)

  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    sticks.current = true
    setAtEnd(true)
    element.scrollTop = element.scrollHeight
  }, [scroller, newest])

  useEffect(() => {
    const element = scroller.current
    const content = element?.firstElementChild
    if (element === null || content == null) return
    let last = element.scrollTop
    const follow = () => {
      if (sticks.current) element.scrollTop = element.scrollHeight
    }
    const onScroll = () => {
      const top = element.scrollTop
      const left = element.scrollHeight - element.clientHeight - top
      // Only a way up is the reader's: growing content and our own following lead down.
      if (left <= SLACK) sticks.current = true
      else if (top < last) sticks.current = false
      last = top
      setAtEnd(sticks.current || left <= SLACK)
    }
    const sizes = new ResizeObserver(follow)
    sizes.observe(element)
    sizes.observe(content)
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', onScroll)
    }
  }, [scroller])

  return {
    atEnd,
    toEnd() {
      const element = scroller.current
      if (element === null) return
      sticks.current = true
      setAtEnd(true)
      element.scrollTop = element.scrollHeight
      element.focus({ preventScroll: true })
    },
  }
}
