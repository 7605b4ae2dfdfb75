import { type ReactElement, useRef, startTransition, useEffect, useState, type RefObject, useLayoutEffect } from 'react'
import { threadTexts } from '~/features/playground/texts/thread-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'

interface MessageListProps {
  /** Rows with keys, oldest first. */
  readonly children: readonly ReactElement[]
  /** Id of the last question. A new question scrolls to the end, wherever the reader was. */
  readonly newest: string
  readonly label?: string
}

/**
 * Stays at its end while a reply grows, unless the reader scrolled up. All rows are in the document, for the browser's search and
 * for screen readers; those out of sight are neither laid out nor painted.
 */
export function MessageList({ children, newest, label }: MessageListProps) {
  const t = useTexts(threadTexts)
  const scroller = useRef<HTMLDivElement>(null)
  const first = useDrawnRows(children.length)
  const { atEnd, toEnd } = useStickToEnd(scroller, newest)
  return (
    <div className="relative flex min-h-0 grow flex-col">
      <div
        ref={scroller}
        role="region"
        aria-label={label ?? t.messages}
        tabIndex={0}
        className="min-h-0 grow overflow-y-auto focus-visible:-outline-offset-2"
      >
        <ol className="skips-unseen">
          {children.slice(first).map((row) => (
            <li key={row.key}>{row}</li>
          ))}
        </ol>
      </div>
      {!atEnd && (
        <div className="absolute inset-x-0 bottom-2 flex justify-center">
          <Button size="small" onClick={toEnd}>
            {t.jumpToNewest}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Rows drawn at once, which fill the tallest window. `.skips-unseen` in the style sheet assumes the same number. */
const AT_ONCE = 10
/** Rows drawn in each later step, above the existing ones. */
const STEP = 10

/**
 * Index of the first drawn row. The end, where the reader is, is drawn first; earlier rows follow when the browser is idle, so that
 * a long conversation opens at once and is still complete for search and screen readers.
 */
function useDrawnRows(count: number): number {
  const [waiting, setWaiting] = useState(Math.max(0, count - AT_ONCE))
  const first = Math.min(waiting, Math.max(0, count - 1))
  useEffect(() => {
    if (first === 0) return
    return whenIdle(() => startTransition(() => setWaiting(Math.max(0, first - STEP))))
  }, [first])
  return first
}

function whenIdle(work: () => void): () => void {
  // Some browsers have no idle callbacks.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(work, 16)
    return () => clearTimeout(timer)
  }
  const idle = requestIdleCallback(work, { timeout: 100 })
  return () => cancelIdleCallback(idle)
}

/** Distance from the end that still counts as the end, in pixels, for a reader who scrolls there while the end moves. */
const SLACK = 64
/** Heights can differ this much through rounding, in pixels. */
const EXACT = 2
const UPWARDS = ['Home', 'PageUp', 'ArrowUp']

interface StickToEnd {
  readonly atEnd: boolean
  toEnd(): void
}

/**
 * Keeps a scroller at its end while its content grows, until the reader scrolls up; resumes when the reader scrolls to the end, and
 * when `newest` changes. Watches the height of the scroller's one element.
 */
function useStickToEnd(scroller: RefObject<HTMLElement | null>, newest: string): StickToEnd {
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
    return followContent(element, content, sticks, setAtEnd)
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

/**
 * Moves to the end whenever the content grows, while `sticks` is true; the reader's scrolling updates `sticks`. `onEnd` receives
 * whether the end is in sight. Returns a function that stops following.
 */
function followContent(
  element: HTMLElement,
  content: Element,
  sticks: RefObject<boolean>,
  onEnd: (atEnd: boolean) => void,
): () => void {
  let last = element.scrollTop
  const leftBelow = () => element.scrollHeight - element.clientHeight - element.scrollTop
  const follow = () => {
    if (sticks.current) element.scrollTop = element.scrollHeight
    else onEnd(leftBelow() <= SLACK)
  }
  const onScroll = () => {
    const top = element.scrollTop
    const left = leftBelow()
    // Only the reader scrolls up: growing content and this code scroll down, and shrinking content leaves the scroller at its end.
    if (left <= EXACT || (left <= SLACK && top > last)) sticks.current = true
    else if (top < last) sticks.current = false
    last = top
    onEnd(sticks.current || left <= SLACK)
  }
  // Acts before the first pixel; otherwise following the end undoes an upward scroll that begins slowly.
  const onWheel = ({ deltaY }: WheelEvent) => {
    if (deltaY < 0 && element.scrollTop > 0) sticks.current = false
  }
  // Browsers animate these keys and stop at the old end if the content grows meanwhile.
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
  const ending = new AbortController()
  const { signal } = ending
  const sizes = new ResizeObserver(follow)
  sizes.observe(element)
  sizes.observe(content)
  element.addEventListener('scroll', onScroll, { passive: true, signal })
  element.addEventListener('wheel', onWheel, { passive: true, signal })
  element.addEventListener('keydown', onKeyDown, { signal })
  return () => {
    sizes.disconnect()
    ending.abort()
  }
}
