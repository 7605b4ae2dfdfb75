import type { Page } from '@playwright/test'

const PROBE = '/healthz?is-seen'
const SEEN = 'seen'
const TRIES = 100

/**
 * Makes `page.route` take effect by the time it resolves. On a busy machine, Chromium reports a little too early that it intercepts
 * requests: of some 300 that followed at once, one went to the gateway. So a loaded page sends requests of its own until one is
 * intercepted.
 */
export function makeRoutesSure(page: Page): void {
  const route = page.route.bind(page)
  page.route = async (...args) => {
    const registered = await route(...args)
    if (page.url() !== 'about:blank') {
      // Removed again, because requests that a test holds back would never be released while this route exists.
      await route(`**${PROBE}`, (probe) => probe.fulfill({ body: SEEN }))
      await waitUntilSeen(page)
      await page.unroute(`**${PROBE}`)
    }
    return registered
  }
}

async function waitUntilSeen(page: Page): Promise<void> {
  try {
    for (let tries = 0; tries < TRIES; tries++) {
      const answer = await page.evaluate(async (probe) => await (await fetch(probe)).text(), PROBE)
      if (answer === SEEN) return
    }
  } catch {
    // The page is being left, or offline, so no request can get past the route.
    return
  }
  throw new Error('the requests of the page are not seen')
}
