import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'

/** The specification's routes with the title of each screen, except for signing in; parameters are filled in. */
const SCREENS = [
  ['/models', 'Supported Models'],
  ['/status', 'Channel Status'],
  ['/', 'Welcome to Sluice'],
  ['/dashboard', 'Dashboard'],
  ['/tokens', 'Tokens'],
  ['/tokens/add', 'Create Token'],
  ['/tokens/edit/1', 'Edit Token'],
  ['/logs', 'Logs'],
  ['/users', 'Users'],
  ['/users/add', 'Create User'],
  ['/users/edit/1', 'Edit User'],
  ['/users/edit', 'Edit account'],
  ['/channels', 'Channels'],
  ['/channels/add', 'Create Channel'],
  ['/channels/edit/1', 'Edit Channel'],
  ['/redemptions', 'Redemptions'],
  ['/redemptions/add', 'Create Redemption'],
  ['/redemptions/edit/1', 'Edit Redemption'],
  ['/about', 'About'],
  ['/settings', 'Settings'],
  ['/topup', 'Top Up'],
  ['/chat', 'Playground'],
] as const

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).first()

test(
  'every path of the table shows its screen, any other says that there is none',
  {
    tag: [
      '@A2.6',
      '@C2.3',
      '@C2.4',
      '@C2.5',
      '@C2.6',
      '@C2.7',
      '@C2.8',
      '@C2.9',
      '@C2.10',
      '@C2.11',
      '@C2.12',
      '@C2.13',
      '@C2.14',
      '@C2.15',
    ],
  },
  async ({ rootPage: page }) => {
    test.slow()
    for (const [path, title] of SCREENS) {
      await page.goto(path)
      await expect(heading(page), path).toHaveText(title)
      expect(new URL(page.url()).pathname).toBe(path)
    }
    await page.goto('/no/such/page')
    await expect(heading(page)).toHaveText('Page not found')
  },
)

test('a visitor is sent to sign in and then to the playground, with what the link asks for', async ({ page, user }) => {
  await page.goto('/chat?prompt=Who+are+you')
  await expect(page).toHaveURL(/\/login/)
  await page.getByLabel('Username').fill(user.username)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toHaveValue('Who are you')
})
