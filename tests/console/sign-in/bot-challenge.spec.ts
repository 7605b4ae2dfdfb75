import type { Page } from '@playwright/test'
import { updateOption } from '@sluice/contract/routes/options'
import { createUser } from '@sluice/contract/routes/users'
import { openWorkbench, type Workbench } from '@sluice/testkit/workbench'
import { expect, expectAccessible, test } from '../fixtures.ts'

/** A separate gateway with the challenge on, so that no other test meets it. */
let bench: Workbench
let url: string

test.beforeAll(async () => {
  bench = await openWorkbench()
  url = bench.gateway.url
  await bench.root.call(createUser, { body: { username: 'tessa', password: 'a long password' } })
  await bench.root.call(updateOption, {
    body: [
      { key: 'TurnstileSiteKey', value: 'site-key-1' },
      { key: 'TurnstileSecretKey', value: 'secret-1' },
      { key: 'TurnstileCheckEnabled', value: 'true' },
    ],
  })
})
test.afterAll(() => bench.close())

const HOST = 'https://challenges.cloudflare.com/**'

/**
 * Stands in for Cloudflare's documented script: `render` draws a widget, here a button that solves the challenge. Every answer is
 * different.
 */
const WIDGET = `
  let made = 0
  globalThis.turnstile = {
    render(element, { sitekey, callback }) {
      const button = document.createElement('button')
      button.type = 'button'
      button.textContent = 'I am human: ' + sitekey
      button.onclick = () => callback('answer-' + ++made)
      element.append(button)
      element.button = button
      return String(made)
    },
    remove() { document.querySelector('[role=group] button')?.remove() },
  }`

async function showWidget(page: Page): Promise<void> {
  await page.route(HOST, (route) => route.fulfill({ contentType: 'text/javascript', body: WIDGET }))
}

const human = (page: Page) => page.getByRole('button', { name: 'I am human: site-key-1' })

test(
  'sign-in waits for the challenge, whose script the page may run, and sends a new answer each time',
  { tag: ['@S14', '@A2.22', '@A5.2', '@A7.5'] },
  async ({ page }) => {
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    await showWidget(page)
    await page.goto(`${url}/login`)
    const submit = page.getByRole('button', { name: 'Sign in', exact: true })
    await expect(human(page)).toBeVisible()
    await expect(submit).toBeDisabled()
    await expect(submit).toHaveAccessibleDescription('Please complete the verification to continue.')
    await expectAccessible(page)
    await page.getByLabel('Username').fill('tessa')
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await human(page).click()
    const first = page.waitForRequest('**/api/user/login?*')
    await submit.click()
    expect(new URL((await first).url()).searchParams.get('turnstile')).toBe('answer-1')
    await expect(page.getByRole('alert')).toContainText('Username or password is wrong')
    await expect(submit).toBeDisabled()
    await page.getByLabel('Password', { exact: true }).fill('a long password')
    await human(page).click()
    const second = page.waitForRequest('**/api/user/login?*')
    await submit.click()
    expect(new URL((await second).url()).searchParams.get('turnstile')).toBe('answer-2')
    await expect(page).toHaveURL(/\/dashboard$/)
    expect(complaints).toEqual([])
  },
)

test(
  'registration and its code each need an answer of their own',
  { tag: ['@A5.11', '@A7.9', '@A7.10'] },
  async ({ page }) => {
    await showWidget(page)
    await page.goto(`${url}/register`)
    const send = page.getByRole('button', { name: 'Send Code' })
    const create = page.getByRole('button', { name: 'Create account' })
    await page.getByLabel('Email').fill('a@example.com')
    await expect(human(page)).toBeVisible()
    await expect(send).toBeDisabled()
    await expect(create).toBeDisabled()
    await human(page).click()
    await expect(send).toBeEnabled()
    await page.route('**/api/verification?*', (route) => route.fulfill({ json: { success: true, message: '' } }))
    const request = page.waitForRequest('**/api/verification?*')
    await send.click()
    expect(new URL((await request).url()).searchParams.get('turnstile')).toBe('answer-1')
    await expect(page.getByRole('button', { name: 'Sent' })).toBeDisabled()
    await human(page).click()
    await page.getByLabel('Username').fill('umberto')
    await page.getByLabel('Password', { exact: true }).fill('garden-boat-77')
    await page.getByLabel('Confirm password').fill('garden-boat-77')
    await page.getByLabel('Verification code').fill('ABCDEF')
    const registered = page.waitForRequest('**/api/user/register?*')
    await create.click()
    expect(new URL((await registered).url()).searchParams.get('turnstile')).toBe('answer-2')
    // The gateway cannot reach Cloudflare from here, and lets no one through.
    await expect(page.getByRole('alert')).toContainText('verification')
    await expect(create).toBeDisabled()
  },
)

test('a challenge that does not load says so and can be tried again', async ({ page }) => {
  await page.route(HOST, (route) => route.abort())
  await page.goto(`${url}/login`)
  await expect(page.getByRole('alert')).toContainText('The verification could not be loaded.')
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeDisabled()
  await page.unrouteAll()
  await showWidget(page)
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(human(page)).toBeVisible()
})
