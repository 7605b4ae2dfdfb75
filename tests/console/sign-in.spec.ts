import { ROOT_PASSWORD } from '@sluice/testkit/gateway-process'
import { expect, test } from './fixtures.ts'

test('a visitor is led to sign-in and back to the page that was asked for', async ({ page }) => {
  await page.goto('/tokens?size=20')
  await expect(page).toHaveURL(/\/login\?redirect_to=%2Ftokens%3Fsize%3D20$/)
  await page.getByLabel('Username').fill('root')
  await page.getByLabel('Password', { exact: true }).fill(ROOT_PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/tokens\?size=20$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tokens')
})

test('sign-in leads to the dashboard when no page was asked for', async ({ page, user }) => {
  await page.goto('/login')
  await page.getByLabel('Username').fill(user.username)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
})

for (const target of ['//evil.example/x', '/\\evil.example', 'https://evil.example']) {
  test(`sign-in does not leave for ${target}`, async ({ page, user }) => {
    await page.goto(`/login?redirect_to=${encodeURIComponent(target)}`)
    await page.getByLabel('Username').fill(user.username)
    await page.getByLabel('Password', { exact: true }).fill(user.password)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/dashboard$/)
  })
}

test('empty fields are named and the first one gets the focus', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('Username is required')).toBeVisible()
  await expect(page.getByText('Password is required')).toBeVisible()
  await expect(page.getByLabel('Username')).toBeFocused()
})

test('a wrong password shows the message of the server and keeps what was typed', async ({ page, user }) => {
  await page.goto('/login')
  await page.getByLabel('Username').fill(user.username)
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Username or password is wrong')
  await expect(page.getByLabel('Username')).toHaveValue(user.username)
})

test('an account with a second step asks for its code and can go back', async ({ page }) => {
  // The account's second step is not part of the gateway yet, so its answer is given here as the family words it.
  await page.route('**/api/user/login', (route) =>
    route.fulfill({ json: { success: false, message: 'totp_required', data: { totp_required: true } } }),
  )
  await page.goto('/login')
  await page.getByLabel('Username').fill('somebody')
  await page.getByLabel('Password', { exact: true }).fill('a password')
  await page.keyboard.press('Enter')
  const code = page.getByLabel('One-time code')
  await expect(code).toBeFocused()
  await expect(page.getByLabel('Username')).toBeDisabled()
  const verify = page.getByRole('button', { name: 'Verify TOTP' })
  await expect(verify).toBeDisabled()
  await code.fill('12345')
  await expect(verify).toBeDisabled()
  await code.fill('123456')
  await expect(verify).toBeEnabled()
  const sent = page.waitForRequest('**/api/user/login')
  await verify.click()
  expect((await sent).postDataJSON()).toEqual({ username: 'somebody', password: 'a password', totp_code: '123456' })
  await page.getByRole('button', { name: 'Back to Login' }).click()
  await expect(code).toHaveCount(0)
  await expect(page.getByLabel('Username')).toBeEnabled()
})

test('logout asks first, ends the session and clears what was kept', async ({ userPage: page, user }) => {
  await page.goto('/tokens')
  await page.getByRole('button', { name: `Account menu of ${user.username}` }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Confirm logout' })
  await expect(dialog).toContainText(
    "Are you sure you want to log out? You'll need to sign in again to access your dashboard.",
  )
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/\/tokens$/)
  await page.getByRole('button', { name: `Account menu of ${user.username}` }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await dialog.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  expect(await page.evaluate(() => Object.keys(localStorage))).not.toContain('sluice.session')
  await page.goto('/tokens')
  await expect(page).toHaveURL(/\/login\?/)
})

test('a session that ended elsewhere leads to sign-in once, with the way back', async ({ userPage: page }) => {
  await page.goto('/tokens?p=0')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tokens')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page).toHaveURL(/\/login\?redirect_to=%2Ftokens$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in')
})

test('root with the well-known password is led to change it', async ({ page }) => {
  const warnings: string[] = []
  page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
  // The gateway under test starts with a password of its own, so the flag of a first start is given here.
  await page.route('**/api/user/login', (route) =>
    route.fulfill({
      json: {
        success: true,
        message: '',
        data: { id: 1, username: 'root', display_name: 'Root', role: 100, status: 1, password_change_required: true },
      },
    }),
  )
  await page.route('**/api/user/self?*', (route) =>
    route.fulfill({
      json: {
        success: true,
        message: '',
        data: {
          id: 1,
          username: 'root',
          display_name: 'Root',
          email: '',
          role: 100,
          status: 1,
          group: 'default',
          quota: 0,
          used_quota: 0,
          request_count: 0,
          created_time: 0,
          github_id: '',
          lark_id: '',
          oidc_id: '',
          wechat_id: '',
          aff_code: '',
          inviter_id: 0,
          budgets: [],
        },
      },
    }),
  )
  // The gateway itself knows no such session, and would end it.
  await page.route('**/api/alarm/?*', (route) =>
    route.fulfill({ json: { success: true, message: '', data: [], total: 0 } }),
  )
  await page.goto('/login?redirect_to=/tokens')
  await page.getByLabel('Username').fill('root')
  await page.getByLabel('Password', { exact: true }).fill('123456')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/users\/edit$/)
  await expect(page.getByRole('alert')).toContainText('well-known first password')
  expect(warnings.join()).toContain('default password')
})
