import type { Page } from '@playwright/test'
import { createToken } from '@sluice/contract/routes/tokens'
import { expect, test } from '../fixtures.ts'

/** Share of the window that moves while a page loads; elsewhere, 0.1 counts as good. */
const LAYOUT_SHIFT = 0.01

const PATHS = [
  '/',
  '/dashboard',
  '/chat',
  '/tokens',
  '/tokens/add',
  '/logs',
  '/models',
  '/status',
  '/topup',
  '/about',
  '/channels',
  '/channels/add',
  '/users',
  '/users/add',
  '/redemptions',
  '/redemptions/add',
  '/import',
  '/doctor',
  '/settings',
  '/settings?tab=operation',
  '/settings?tab=system',
  '/settings?tab=other',
] as const

/** Counts from the next page on. */
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let shift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shift += (entry as PerformanceEntry & { readonly value: number }).value
      document.documentElement.dataset['shift'] = String(shift)
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** Makes every load like a browser's first: no file is cached, and the console remembers nothing but the session. */
async function forgetBetweenLoads(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Network.setCacheDisabled', { cacheDisabled: true })
  await page.addInitScript(() => {
    for (const key of Object.keys(localStorage)) if (key !== 'sluice.session') localStorage.removeItem(key)
  })
}

async function expectStillness(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  const shift = await page.evaluate(() => Number(document.documentElement.dataset['shift'] ?? 0))
  expect.soft(shift, `shift of ${page.url()}`).toBeLessThanOrEqual(LAYOUT_SHIFT)
}

test('nothing moves while a page loads', async ({ rootPage: page }) => {
  test.slow()
  await watchShifts(page)
  await forgetBetweenLoads(page)
  for (const path of PATHS) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectStillness(page)
  }
})

test('nothing moves while a stored conversation opens at its end', async ({ userPage: page, user, workbench }) => {
  await workbench.addChannel(['emu-echo'])
  await user.api.call(createToken, { body: { name: 'still', unlimited_quota: true } })
  await page.goto('/chat?model=emu-echo')
  const composer = page.getByRole('textbox', { name: 'Message', exact: true })
  const replies = page.getByRole('article', { name: /^Reply/ })
  for (const count of [1, 2, 3]) {
    await composer.fill('## Part\n\nWater and words.\n\n- one\n- two\n\n```js\nlet a = 1\n```\n\n'.repeat(5))
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
    await page.keyboard.press('Enter')
    await expect(replies).toHaveCount(count)
    await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0)
  }
  await watchShifts(page)
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await page.reload()
    await expect(replies).toHaveCount(3)
    await expectStillness(page)
  }
})
