import { expect, test } from '../fixtures.ts'

test('a channel that was not saved because the session had ended is still there', async ({ rootPage: page }) => {
  await page.goto('/channels/add')
  await page.getByLabel('Name', { exact: true }).fill('nearly lost')
  await page.getByLabel('API key').fill('sk-emulator')
  const cookies = await page.context().cookies()
  const session = await page.evaluate(() => localStorage.getItem('sluice.session'))
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Create', exact: true }).click()

  await page.getByRole('alertdialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('nearly lost')
  await expect(page.getByText('You are no longer signed in, so nothing was saved.').first()).toBeVisible()

  // Signs in again in another tab.
  await page.context().addCookies(cookies)
  const other = await page.context().newPage()
  await other.goto('/about')
  await other.evaluate((record) => localStorage.setItem('sluice.session', record ?? ''), session)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByText('Channel created successfully')).toBeVisible()
  await expect(page).toHaveURL(/\/channels$/)
})

test('a visitor who leaves such a form comes back to it', async ({ rootPage: page }) => {
  await page.goto('/users/add')
  await page.getByLabel('Username').fill('nearly-lost')
  await page.getByRole('textbox', { name: 'Password' }).fill('long enough')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(/\/login\?redirect_to=%2Fusers%2Fadd$/)
  await expect(page.getByText('Your session has ended. Sign in to continue where you left off.')).toBeVisible()
})

test('the token form asks before typed input is lost, but not after a save', async ({ userPage: page }) => {
  await page.goto('/tokens/add')
  await page.getByLabel('Name', { exact: true }).fill('typed')
  await page.getByRole('link', { name: 'Logs' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('typed')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page).toHaveURL(/\/tokens\?use=\d+$/)
})

test('an address that names no row says so in words', async ({ userPage: page }) => {
  await page.goto('/tokens/edit/abc')
  await expect(page.getByRole('main')).toContainText('Token not found.')
})

test('an address with an invalid date says so', async ({ userPage: page }) => {
  await page.goto('/dashboard?from=nonsense')
  await expect(page.getByLabel('From')).toHaveAttribute('aria-invalid', 'true')
})

test('a failure of channel status without a reason ends without a colon', async ({ userPage: page }) => {
  await page.route('**/api/status/channel*', (route) => route.fulfill({ status: 500, body: 'oops' }))
  await page.goto('/status')
  await expect(page.getByText(/^Failed to fetch channel status$/)).toBeVisible()
})

test('what could not be loaded is requested again, unless it was refused for a reason', async ({ userPage: page }) => {
  await page.route('**/api/about*', (route) => route.abort())
  await page.goto('/about')
  await expect(page.getByRole('alert')).toBeVisible()
  await page.unroute('**/api/about*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()

  await page.goto('/tokens/edit/999999')
  await expect(page.getByRole('alert')).toHaveText('Token not found.')
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
})
