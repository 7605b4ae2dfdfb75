import type { Browser, Page } from '@playwright/test'

/** What is read of an entry in the browser's own record of what it did; microseconds. */
interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  /** Processor time, of entries that have an end. */
  readonly tdur?: number
}

/**
 * Milliseconds of processor time that the page's tasks took while something was done, longest first, counted from the picture on
 * which the first element that `selector` finds is seen. Processor time is the page's own: what else a machine does makes a task
 * wait, but not work longer.
 */
export async function longestTasks(
  browser: Browser,
  page: Page,
  selector: string,
  act: () => Promise<void>,
): Promise<readonly number[]> {
  await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] })
  await page.evaluate((what) => {
    const look = () => {
      if (document.querySelector(what) === null) requestAnimationFrame(look)
      // The frame that draws it is still the first one.
      else requestAnimationFrame(() => performance.mark('first-drawn'))
    }
    look()
  }, selector)
  await act()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  const mark = traceEvents.find(({ name }) => name === 'first-drawn')
  if (mark === undefined) throw new Error('nothing was drawn')
  return traceEvents
    .filter(
      ({ name, pid, tid, ts }) => name.endsWith('RunTask') && pid === mark.pid && tid === mark.tid && ts > mark.ts,
    )
    .map(({ tdur = 0 }) => tdur / 1_000)
    .toSorted((a, b) => b - a)
}
