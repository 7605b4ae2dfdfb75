import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Distance from the end that still counts as the end, in pixels, for a reader who scrolls there while it moves on. */
const SLACK = 64
/** Pixels by which rounding can change a height. */
const EXACT = 2
/** Keys that scroll up, as a wheel does. */
const UPWARDS = ['Home', 'PageUp', 'ArrowUp']

interface StickToEnd {
  readonly atEnd: boolean
  toEnd(): void
}

/**
 * Keeps a scroller at its end while its content grows, until the reader scrolls up; it resumes when the reader scrolls to the end,
 * and at another `newest`. The scroller contains one element, whose height is watched.
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
    const leftBelow = () => element.scrollHeight - element.clientHeight - element.scrollTop
    const follow = () => {
      if (sticks.current) element.scrollTop = element.scrollHeight
      else setAtEnd(leftBelow() <= SLACK)
    }
    const onScroll = () => {
      const top = element.scrollTop
      const left = leftBelow()
      // Only upward scrolling is the reader's: growing content and our own following scroll down. Content that shrinks ends at the
      // end.
      if (left <= EXACT || (left <= SLACK && top > last)) sticks.current = true
      else if (top < last) sticks.current = false
      last = top
      setAtEnd(sticks.current || left <= SLACK)
    }
    // Before the first pixel: following the end would undo an upward scroll that begins slowly.
    const onWheel = ({ deltaY }: WheelEvent) => {
      if (deltaY < 0 && element.scrollTop > 0) sticks.current = false
    }
    // Browsers animate scrolling to either end, and stop half-way when the content grows meanwhile; its end would have moved on by
    // then.
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, target } = event
      if (target !== element || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return
      if (UPWARDS.includes(key) && element.scrollTop > 0) sticks.current = false
      if (key === 'End') {
        sticks.current = true
        follow()
      } else if (key === 'Home') {
        event.preventDefault()
        element.scrollTop = 0
      }
    }
    const sizes = new ResizeObserver(follow)
    sizes.observe(element)
    sizes.observe(content)
    element.addEventListener('scroll', onScroll, { passive: true })
    element.addEventListener('wheel', onWheel, { passive: true })
    element.addEventListener('keydown', onKeyDown)
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', onScroll)
      element.removeEventListener('wheel', onWheel)
      element.removeEventListener('keydown', onKeyDown)
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
