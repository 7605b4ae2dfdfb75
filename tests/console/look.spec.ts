import type { Page } from '@playwright/test'
import { createChannel } from '@sluice/contract/routes/channels'
import { createToken } from '@sluice/contract/routes/tokens'
import { expect, expectAccessible, test } from './fixtures.ts'

/** Narrowest and widest window the console promises to fit. */
const WIDTHS = [320, 390, 768, 1024, 1440, 1920]

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    const beyond = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(beyond, `pixels beyond a window of ${width}`).toBe(0)
  }
}

test('sign-in is accessible and fits @look', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('Username is required')).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
})

test('the own account is accessible and fits @look', async ({ userPage: page }) => {
  await page.goto('/users/edit')
  await expect(page.getByLabel('Username')).not.toHaveValue('')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
})

test('the token list is accessible and fits @look', async ({ userPage: page, user }) => {
  const names = ['ci', 'a token with a rather long nam', 'unlimited']
  for (const name of names) await user.api.call(createToken, { body: { name, unlimited_quota: name === 'unlimited' } })
  await page.goto('/tokens')
  await expect(page.getByText('a token with a rather long nam')).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
})

test('the token form is accessible and fits @look', async ({ userPage: page }) => {
  await page.goto('/tokens/add')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Token name is required').first()).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
})

test('the channel list is accessible and fits @look', async ({ rootPage: page, workbench }) => {
  const channel = { type: 50, base_url: workbench.emulator.url, key: 'sk-x', models: 'gpt-4o' }
  for (const [name, priority] of [
    ['look-active', 1],
    ['look-paused with a name that is rather longer than any column', -1],
  ] as const) {
    await workbench.root.call(createChannel, { body: { ...channel, name, priority } })
  }
  await page.goto('/channels?keyword=look')
  await expect(page.getByRole('link', { name: 'look-active' })).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
})

test('the channel form is accessible and fits @look', async ({ rootPage: page }) => {
  await page.goto('/channels/add')
  await page.getByLabel('Model mapping').fill('{"a"}')
  await page.getByRole('button', { name: 'Fill defaults' }).click()
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Channel name is required').first()).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
})

test('a phone shows cards with a menu instead of columns', async ({ userPage: page, user }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await user.api.call(createToken, { body: { name: 'ci', unlimited_quota: true } })
  await page.goto('/tokens')
  const card = page.getByRole('list', { name: 'Tokens' }).getByRole('listitem')
  await expect(card).toContainText('ci')
  await expect(page.getByRole('table')).toHaveCount(0)
  await card.getByRole('button', { name: 'Actions for ci' }).click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  await expect(card).toContainText('Disabled')
  await page.getByRole('button', { name: 'Open navigation' }).click()
  const sheet = page.getByRole('dialog', { name: 'Main navigation' })
  await expect(sheet.getByRole('link', { name: 'Tokens' })).toBeVisible()
  await expectAccessible(page)
})
