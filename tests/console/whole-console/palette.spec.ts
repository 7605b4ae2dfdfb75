import type { Page } from '@playwright/test'
import { createToken } from '@sluice/contract/routes/tokens'
import { expect, expectAccessible, test } from '../fixtures.ts'

const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' })
const input = (page: Page) => palette(page).getByRole('combobox')
const active = (page: Page) => palette(page).getByRole('option', { selected: true })

async function open(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await expect(input(page)).toBeFocused()
}

test('leads to pages and to what a page offers, by keyboard alone', async ({ userPage: page }) => {
  await page.goto('/tokens')
  await page.getByRole('combobox', { name: 'Search tokens by name...' }).focus()
  await open(page)
  await expect(palette(page).getByRole('group', { name: 'On this page' })).toContainText('Add Token')
  await expect(palette(page).getByRole('group', { name: 'Go to' })).not.toContainText('Channels')
  await page.keyboard.type('dash')
  await expect(active(page)).toContainText('Dashboard')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  await open(page)
  await page.keyboard.type('theme')
  await page.keyboard.press('Enter')
  await expect(palette(page).getByRole('option')).toHaveText(['Light', 'Dark', 'System'])
  await page.keyboard.press('ArrowDown')
  await expect(active(page)).toHaveText('Dark')
  const id = await active(page).getAttribute('id')
  await expect(input(page)).toHaveAttribute('aria-activedescendant', id ?? '')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')

  await open(page)
  await page.keyboard.type('language')
  await page.keyboard.press('Enter')
  await expect(palette(page).getByRole('option')).toHaveText(['English', '简体中文'])
  await page.keyboard.press('Backspace')
  await page.keyboard.type('no such thing at all')
  await expect(palette(page).getByRole('status')).toHaveText('Nothing found')
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)
})

test(
  'finds tokens, models, channels and users by name or id, and remembers what was opened',
  { tag: '@A9.16' },
  async ({ rootPage: page, user, workbench }) => {
    const model = `palette-${user.username}`
    await workbench.addChannel([model])
    const token = await workbench.root.call(createToken, { body: { name: model, unlimited_quota: true } })
    const requested: string[] = []
    page.on('request', (request) => request.url().includes('/api/token/search') && requested.push(request.url()))
    await page.clock.install()
    await page.goto('/dashboard')
    await open(page)
    await page.clock.pauseAt(Date.now() + 5_000)
    await page.keyboard.type(model)
    await page.clock.runFor(299)
    expect(requested).toEqual([])
    await page.clock.runFor(1)
    const found = palette(page).getByRole('group', { name: 'Found' })
    await expect(found.getByRole('option')).toHaveCount(2)
    await page.clock.runFor(2_000)
    expect(requested).toHaveLength(1)
    await expect(found.getByRole('option').filter({ hasText: 'Model' })).toContainText(model)
    await page.clock.resume()

    await input(page).fill(user.username)
    await expect(found.getByRole('option').filter({ hasText: 'User #' })).toContainText(user.username)
    await input(page).fill(`#${token.id}`)
    await found
      .getByRole('option')
      .filter({ hasText: `Token #${token.id}` })
      .click()
    await palette(page).getByRole('option', { name: 'Edit Token' }).click()
    await expect(page).toHaveURL(new RegExp(`/tokens/edit/${token.id}$`))

    await open(page)
    const recent = palette(page).getByRole('group', { name: 'Recent' })
    await expect(recent.getByRole('option')).toContainText([model])
    await recent.getByRole('option').first().click()
    await palette(page).getByRole('option', { name: 'Show logs' }).click()
    await expect(page).toHaveURL(new RegExp(`/logs\\?.*token=${model}`))
  },
)

test('without a connection finds what has been seen before, and copies the base address', async ({
  userPage: page,
  user,
  context,
  baseURL,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await user.api.call(createToken, { body: { name: 'seen-before', unlimited_quota: true } })
  await page.goto('/tokens')
  await expect(page.getByText('seen-before')).toBeVisible()
  await open(page)
  await page.keyboard.press('Escape')
  await context.setOffline(true)
  await open(page)
  await page.keyboard.type('seen')
  await expect(palette(page).getByRole('option', { name: /seen-before/ })).toBeVisible()
  await expect(palette(page).getByText(/^The gateway cannot be reached\./)).toBeVisible()
  await context.setOffline(false)
  await input(page).fill('base')
  await page.keyboard.press('Enter')
  const toast = page.getByRole('region', { name: 'Notifications' })
  await expect(toast).toContainText('Base address copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${baseURL}/v1`)
})

test(
  'a notice can be copied and leaves after three seconds',
  { tag: ['@A1.4', '@A9.2'] },
  async ({ userPage: page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.clock.install()
    await page.goto('/tokens')
    await open(page)
    await page.keyboard.type('base')
    await page.keyboard.press('Enter')
    const notices = page.getByRole('region', { name: 'Notifications' })
    await expect(notices).toContainText('Base address copied')
    await notices.getByRole('button', { name: 'Copy text' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^Base address copied\nhttp/)
    // Neither the pointer nor the focus keeps the toast open any more, so its three seconds start over.
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.getByRole('heading', { level: 1 }).click()
    await page.clock.runFor(2_900)
    await expect(notices.getByText('Base address copied')).toBeVisible()
    await page.clock.runFor(200)
    await expect(notices.getByText('Base address copied')).toHaveCount(0)
  },
)

test('is accessible from a phone', async ({ userPage: page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/tokens')
  await page.getByRole('button', { name: 'Open command palette' }).click()
  await expect(input(page)).toBeFocused()
  await expectAccessible(page)
})
