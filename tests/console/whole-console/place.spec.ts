import type { Page } from '@playwright/test'
import { createToken } from '@sluice/contract/routes/tokens'
import { expect, test } from '../fixtures.ts'

const mainTop = (page: Page) => page.locator('#main').evaluate((main) => main.scrollTop)
const scroller = (page: Page) => page.locator('[data-scroll-restoration-id=table]')
const listTop = (page: Page) => scroller(page).evaluate((list) => list.scrollTop)

test('the price list scrolls inside the frame, not the frame out of the window', async ({
  rootPage: page,
  workbench,
}) => {
  await workbench.addChannel(
    Array.from({ length: 50 }, (_, i) => `tall-${i}`),
    { name: 'tall pool' },
  )
  await page.goto('/models')
  await expect(page.getByRole('table', { name: 'Models of tall pool' })).toBeAttached()
  const beyond = await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)
  expect(beyond).toBe(0)
})

test('another page starts at its top, and Back returns to the position that was left', async ({ rootPage: page }) => {
  await page.goto('/settings')
  await expect(page.getByRole('button', { name: 'Generate access token' })).toBeVisible()
  await page.locator('#main').evaluate((main) => main.scrollTo(0, 300))
  await expect.poll(() => mainTop(page)).toBe(300)
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard')
  await expect.poll(() => mainTop(page)).toBe(0)
  await page.goBack()
  await expect.poll(() => mainTop(page)).toBe(300)
})

test.describe('a list of a hundred rows', () => {
  test.beforeEach(async ({ user }) => {
    for (let i = 0; i < 110; i++) {
      await user.api.call(createToken, { body: { name: `row-${i}`, unlimited_quota: true } })
    }
  })

  test('shows the next page and another order from the first row on', async ({ userPage: page }) => {
    await page.goto('/tokens?size=50')
    await expect(page.locator('tr[data-row]').first()).toBeVisible()
    await scroller(page).evaluate((list) => list.scrollTo(0, 700))
    await expect.poll(() => listTop(page)).toBe(700)
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect(page.getByText('51–100 of 110')).toBeVisible()
    await expect.poll(() => listTop(page)).toBe(0)

    await scroller(page).evaluate((list) => list.scrollTo(0, 700))
    await expect.poll(() => listTop(page)).toBe(700)
    await page.getByRole('button', { name: 'Name', exact: true }).click()
    await expect(page).toHaveURL(/sort=name/)
    await expect.poll(() => listTop(page)).toBe(0)
  })

  test('keeps the line between its rows', async ({ userPage: page }) => {
    await page.goto('/tokens?size=100')
    const rows = page.locator('tr[data-row]')
    await expect(rows.nth(1)).toBeVisible()
    const [first, second] = [await rows.nth(0).boundingBox(), await rows.nth(1).boundingBox()]
    expect((second?.y ?? 0) - (first?.y ?? 0)).toBe(first?.height)
  })

  test('keeps a phone where its reader is when a panel opens and closes', async ({ userPage: page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/tokens?size=50')
    await expect(page.getByRole('listitem').nth(40)).toBeAttached()
    await page.evaluate(() => window.scrollTo(0, 900))
    const top = () => page.evaluate(() => window.scrollY)
    await expect.poll(top).toBe(900)
    const opener = page.getByRole('button', { name: /^Actions for row-/ })
    await opener.nth(14).click()
    await page.getByRole('menuitem', { name: 'Use' }).click()
    await expect(page).toHaveURL(/use=\d+/)
    await page.keyboard.press('Escape')
    await expect(page).not.toHaveURL(/use=/)
    await expect.poll(top).toBe(900)
  })
})

test('on a phone, the metric of the charts can be changed without leaving them', async ({ rootPage: page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/dashboard')
  await page.evaluate(() => window.scrollTo(0, 1200))
  await page.getByText('Expenses', { exact: true }).click()
  await expect(page).toHaveURL(/metric=expenses/)
  await expect(page.getByText('Expenses', { exact: true })).toBeInViewport()
})
