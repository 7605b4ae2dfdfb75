import { startTransition, useEffect, useState } from 'react'

/** Rows that fill the tallest window; they are drawn at once. `.skips-unseen` in the style sheet counts as many. */
const AT_ONCE = 10
/** Rows that are drawn in one go afterwards, before those that are there. */
const STEP = 10

/**
 * The first of the rows that is drawn. A conversation begins with its end, where the reader is; what is further up follows when
 * nothing else is to be done, so that a long one opens at once and yet is all there for whoever searches or listens.
 */
export function useDrawnRows(count: number): number {
  const [waiting, setWaiting] = useState(Math.max(0, count - AT_ONCE))
  const first = Math.min(waiting, Math.max(0, count - 1))
  useEffect(() => {
    if (first === 0) return
    return whenIdle(() => startTransition(() => setWaiting(Math.max(0, first - STEP))))
  }, [first])
  return first
}

/** Answers how to take the work back. */
function whenIdle(work: () => void): () => void {
  // One of the three engines has no idle callbacks.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(work, 16)
    return () => clearTimeout(timer)
  }
  const idle = requestIdleCallback(work, { timeout: 100 })
  return () => cancelIdleCallback(idle)
}
