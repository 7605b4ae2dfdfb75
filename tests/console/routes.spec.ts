import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

/** The route table of the specification, but for what belongs to signing in; parameters filled in. */
const PATHS = [
  '/models',
  '/status',
  '/',
  '/dashboard',
  '/tokens',
  '/tokens/add',
  '/tokens/edit/1',
  '/logs',
  '/users',
  '/users/add',
  '/users/edit/1',
  '/users/edit',
  '/channels',
  '/channels/add',
  '/channels/edit/1',
  '/redemptions',
  '/redemptions/add',
  '/redemptions/edit/1',
  '/about',
  '/settings',
  '/topup',
] as const

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).first()

test('every path of the table shows its screen, any other says that there is none [A2.6 C2.3 C2.4 C2.5 C2.6 C2.7 C2.8 C2.9 C2.10 C2.11 C2.12 C2.13 C2.15]', async ({
  rootPage: page,
}) => {
  test.slow()
  for (const path of PATHS) {
    await page.goto(path)
    await expect(heading(page), path).not.toHaveText('Page not found')
    expect(new URL(page.url()).pathname).toBe(path)
  }
  await page.goto('/no/such/page')
  await expect(heading(page)).toHaveText('Page not found')
})
