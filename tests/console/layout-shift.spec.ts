import { expect, test } from './fixtures.ts'

/** Share of the window that moves while a page loads; 0.1 counts as good elsewhere. */
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
  '/settings',
  '/settings?tab=operation',
  '/settings?tab=system',
  '/settings?tab=other',
] as const

for (const path of PATHS) {
  test(`nothing moves while ${path} loads`, async ({ rootPage: page }) => {
    await page.addInitScript(() => {
      let shift = 0
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shift += (entry as PerformanceEntry & { readonly value: number }).value
        document.documentElement.dataset['shift'] = String(shift)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')
    const shift = await page.evaluate(() => Number(document.documentElement.dataset['shift'] ?? 0))
    expect(shift).toBeLessThanOrEqual(LAYOUT_SHIFT)
  })
}
