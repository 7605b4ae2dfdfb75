import { startTransition, useEffect, useState } from 'react'

/** Number of rows that fill the tallest window, drawn at once. `.skips-unseen` in the style sheet assumes the same number. */
const AT_ONCE = 10
/** Rows that are drawn in one go afterwards, above the existing ones. */
const STEP = 10

/**
 * Index of the first row that is drawn. A conversation starts with its end, where the reader is; what is further up is drawn when
 * the browser is idle, so that a long one opens at once and yet is complete for search and screen readers.
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

/** Returns a function that cancels the work. */
function whenIdle(work: () => void): () => void {
  // One of the three engines has no idle callbacks.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(work, 16)
    return () => clearTimeout(timer)
  }
  const idle = requestIdleCallback(work, { timeout: 100 })
  return () => cancelIdleCallback(idle)
}
