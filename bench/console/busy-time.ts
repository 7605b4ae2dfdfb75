import type { Browser, Page } from '@playwright/test'

/** The relevant part of an entry in the browser's own trace; times in microseconds. */
interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  /** Processor time, for entries that have an end. */
  readonly tdur?: number
}

/**
 * Milliseconds of processor time of each of the page's tasks during `act`, longest first, from the first frame that shows an
 * element matching `selector`. Processor time is the page's own: other load on the machine makes a task wait, but not work longer.
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
      // The frame that draws it still counts as the first one.
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
