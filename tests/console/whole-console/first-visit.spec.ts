import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'

/** Requests until a first visit can be used, including the document and the calls. `bundle.test.ts` limits the bytes. */
const REQUESTS = { '/login': 10, '/dashboard': 14 } as const

test('a first visit to sign-in makes few requests', async ({ page }) => {
  const requested = requestsOf(page)
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  expect(requested.length, requested.join('\n')).toBeLessThanOrEqual(REQUESTS['/login'])
})

test('a first visit to the dashboard makes few requests', async ({ userPage: page }) => {
  const requested = requestsOf(page)
  await page.goto('/dashboard')
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
  expect(requested.length, requested.join('\n')).toBeLessThanOrEqual(REQUESTS['/dashboard'])
})

function requestsOf(page: Page): readonly string[] {
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  return requested
}
