import { self } from '@sluice/contract/routes/account'
import { listOwnSessions } from '@sluice/contract/routes/own-sessions'
import { signIn } from '@sluice/testkit/management-client'
import { TOTP } from 'otpauth'
import { expect, test } from '../fixtures.ts'

const REFUSED = { success: false, message: '' }

test(
  'a user has only the Personal tab, which the account menu leads to',
  { tag: ['@B2.16', '@C1.4', '@C1.5', '@C2.12', '@C2.19', '@C2.20', '@C6.2'] },
  async ({ userPage: page, user }) => {
    await page.goto('/tokens')
    await page.getByRole('button', { name: `Account menu for ${user.username}` }).click()
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    await expect(page).toHaveURL(/\/settings$/)
    const tabs = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
    await expect(tabs).toHaveText(['Personal'])
    await page.goto('/settings?tab=system')
    await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible()
    await expect(tabs).toHaveText(['Personal'])
  },
)

test(
  'root has all tabs, each with an address of its own',
  { tag: ['@C1.4', '@C1.6', '@C2.12', '@C2.18', '@C2.21', '@C6.1'] },
  async ({ rootPage: page }) => {
    await page.goto('/settings?tab=system')
    const tabs = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
    await expect(tabs).toHaveText(['Personal', 'Operation', 'System', 'Other'])
    await expect(tabs.nth(2)).toHaveAttribute('aria-current', 'page')
    await tabs.first().click()
    await expect(page).toHaveURL(/\/settings$/)
    await expect(page.getByRole('heading', { name: 'Two-factor authentication' })).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL(/tab=system/)
  },
)

test(
  'an access token is shown once, and it and an invitation link take each other’s place',
  { tag: ['@S20', '@B1.2', '@B2.14', '@B2.41', '@B2.42', '@B4.10', '@B7.27', '@B9.5'] },
  async ({ userPage: page, user, workbench, address }) => {
    await page.clock.install()
    await page.goto('/settings')
    const requested: string[] = []
    page.on('request', (request) => requested.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await page.getByRole('button', { name: 'Generate access token' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Generate', exact: true }).click()
    const part = page.getByRole('region', { name: 'Access and invitation' })
    await expect(part.getByText('This is shown only once')).toBeVisible()
    const token = (await part.getByRole('code').textContent()) ?? ''
    const own = await fetch(`${workbench.gateway.url}/api/user/self`, { headers: { authorization: token } })
    expect(await own.json()).toMatchObject({ success: true, data: { username: user.username } })

    await part.getByRole('button', { name: 'Generate invitation link' }).click()
    await expect(part.getByText('Invitation link', { exact: true })).toBeVisible()
    const { aff_code } = await user.api.call(self)
    await expect(part.getByRole('code')).toHaveText(`${address}/register?aff=${aff_code}`)
    await expect(part.getByText('Access token', { exact: true })).toHaveCount(0)
    expect(requested).toEqual(expect.arrayContaining(['GET /api/user/token', 'GET /api/user/aff']))
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.clock.pauseAt(Date.now() + 60_000)
    await part.getByRole('button', { name: 'Copy invitation link' }).click()
    const copied = part.getByRole('button', { name: 'Copied' })
    await expect(copied).toBeVisible()
    await page.clock.runFor(1_900)
    await expect(copied).toBeVisible()
    await page.clock.runFor(200)
    await expect(copied).toHaveCount(0)

    await part.getByRole('button', { name: 'Generate access token' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Generate', exact: true }).click()
    await expect(part.getByText('Access token', { exact: true })).toBeVisible()
    await expect(part.getByText('Invitation link', { exact: true })).toHaveCount(0)
    await expect(part.getByRole('code')).not.toHaveText(token)
    const latest = (await part.getByRole('code').textContent()) ?? ''
    expect(latest).not.toBe('')
    const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, location.href]))
    expect(kept).not.toContain(latest)
    await page.clock.resume()
    await page.reload()
    await expect(part.getByRole('button', { name: 'Generate access token' })).toBeVisible()
    await expect(part.getByRole('code')).toHaveCount(0)
  },
)

test(
  'the second step is set up with a secret and a picture, and disabled with a code',
  { tag: ['@B1.2', '@B2.41', '@B4.8', '@B4.9', '@B5.22', '@B5.23', '@B7.28', '@B9.8', '@whole'] },
  async ({ userPage: page }) => {
    await page.goto('/settings')
    const part = page.getByRole('region', { name: 'Two-factor authentication' })
    await expect(part.getByText('Not enabled')).toBeVisible()
    await part.getByRole('button', { name: 'Set up TOTP' }).click()
    const setup = page.getByRole('dialog', { name: 'Set up two-factor authentication' })
    await expect(setup.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
    const secret = ((await setup.getByRole('code').textContent()) ?? '').replaceAll(' ', '')
    const code = setup.getByLabel('6-digit code')
    await expect(code).toBeFocused()
    await code.fill('12345')
    await page.keyboard.press('Enter')
    await expect(setup.getByText('Enter a valid 6-digit code')).toBeVisible()
    await expect(page.getByText('Validation error')).toBeVisible()
    await expect(code).toBeFocused()
    const totp_code = new TOTP({ secret }).generate()
    await code.fill(totp_code)
    const confirmed = page.waitForRequest('**/api/user/totp/confirm')
    await setup.getByRole('button', { name: 'Confirm' }).click()
    expect((await confirmed).postDataJSON()).toEqual({ totp_code })

    const codes = page.getByRole('dialog', { name: 'Recovery codes' })
    await expect(codes.getByRole('listitem')).toHaveCount(10)
    await expect(codes.getByText('They are shown only once.')).toBeVisible()
    const recovery = (await codes.getByRole('listitem').first().textContent()) ?? ''
    const download = page.waitForEvent('download')
    await codes.getByRole('button', { name: 'Download codes' }).click()
    expect((await download).suggestedFilename()).toBe('recovery-codes.txt')
    await codes.getByRole('button', { name: 'I have saved them' }).click()
    await expect(part.getByText('Enabled', { exact: true })).toBeVisible()
    await expect(part.getByText('10 recovery codes left')).toBeVisible()

    await part.getByRole('button', { name: 'Disable TOTP' }).click()
    const disable = page.getByRole('dialog', { name: 'Disable two-factor authentication' })
    await disable.getByRole('button', { name: 'Disable TOTP' }).click()
    await expect(disable.getByText('Please enter the TOTP code to disable')).toBeVisible()
    await disable.getByLabel('TOTP code or recovery code').fill(recovery)
    const disabled = page.waitForRequest('**/api/user/totp/disable')
    await disable.getByRole('button', { name: 'Disable TOTP' }).click()
    expect((await disabled).postDataJSON()).toEqual({ totp_code: recovery })
    await expect(part.getByText('Not enabled')).toBeVisible()
  },
)

test(
  'what goes wrong with the second step is reported, in the gateway’s words if it has any',
  { tag: ['@B8.11', '@whole'] },
  async ({ userPage: page }) => {
    const part = page.getByRole('region', { name: 'Two-factor authentication' })
    const setup = page.getByRole('dialog', { name: 'Set up two-factor authentication' })
    const disable = page.getByRole('dialog', { name: 'Disable two-factor authentication' })
    const refuseOnce = (call: string) =>
      page.route(`**/api/user/totp/${call}*`, (route) => route.fulfill({ json: REFUSED }), { times: 1 })

    await page.route('**/api/user/totp/status*', (route) => route.fulfill({ json: REFUSED }))
    await page.goto('/settings')
    await expect(part.getByText('Failed to load TOTP status')).toBeVisible()
    await page.unroute('**/api/user/totp/status*')
    await page.reload()
    await refuseOnce('setup')
    await part.getByRole('button', { name: 'Set up TOTP' }).click()
    await expect(page.getByText('Failed to setup TOTP')).toBeVisible()
    await part.getByRole('button', { name: 'Set up TOTP' }).click()
    await setup.getByLabel('6-digit code').fill('000000')
    await refuseOnce('confirm')
    await setup.getByRole('button', { name: 'Confirm' }).click()
    await expect(setup.getByText('Failed to confirm TOTP')).toBeVisible()
    await setup.getByRole('button', { name: 'Confirm' }).click()
    await expect(setup.getByText('The TOTP code is wrong or has already been used.')).toBeVisible()

    const on = { success: true, message: '', data: { totp_enabled: true, recovery_codes_left: 0 } }
    await page.route('**/api/user/totp/status*', (route) => route.fulfill({ json: on }))
    await page.reload()
    await expect(part.getByText('No recovery codes left')).toBeVisible()
    await part.getByRole('button', { name: 'Disable TOTP' }).click()
    await disable.getByLabel('TOTP code or recovery code').fill('123456')
    await refuseOnce('disable')
    await disable.getByRole('button', { name: 'Disable TOTP' }).click()
    await expect(disable.getByText('Failed to disable TOTP')).toBeVisible()
    await disable.getByRole('button', { name: 'Disable TOTP' }).click()
    await expect(disable.getByText('TOTP is not enabled.')).toBeVisible()
  },
)

test('sessions elsewhere are listed and ended, one or all of them', async ({ userPage: page, user, workbench }) => {
  const elsewhere = () => signIn(workbench.gateway.url, user.username, user.password)
  const [lost, second, third] = [await elsewhere(), await elsewhere(), await elsewhere()]
  await page.goto('/settings')
  const part = page.getByRole('region', { name: 'Sessions' })
  const rows = part.getByRole('listitem')
  await expect(rows).toHaveCount(4)
  await expect(rows.first()).toContainText('This session')
  await expect(rows.first().getByRole('button')).toHaveCount(0)
  await rows
    .nth(1)
    .getByRole('button', { name: /^Sign out/ })
    .click()
  await expect(rows).toHaveCount(3)
  await part.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(page.getByText('2 sessions ended')).toBeVisible()
  await expect(rows).toHaveCount(1)
  for (const api of [lost, second, third]) await expect(api.call(self)).rejects.toThrow('not logged in')
  expect(await user.api.call(listOwnSessions)).toHaveLength(1)
})

test('preferences take effect at once and stay in this browser', async ({ userPage: page }) => {
  await page.goto('/settings#preferences')
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('dark')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.getByLabel('Keyboard shortcuts').uncheck()
  await page.getByRole('combobox', { name: 'Language' }).selectOption('zh-CN')
  await expect(page.getByRole('heading', { name: '设置', level: 1 })).toBeVisible()
  await expect(page).toHaveURL(/\/settings/)
  await page.reload()
  await expect(page.getByRole('region', { name: '偏好设置' }).getByRole('checkbox')).not.toBeChecked()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('an account is deleted once its name is typed, and no one can sign in to it again', async ({
  userPage: page,
  user,
  workbench,
}) => {
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  const name = dialog.getByLabel(`Type ${user.username} to confirm`)
  await name.fill('somebody')
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect(dialog.getByText('This is not your username')).toBeVisible()
  await name.fill(user.username)
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect(page.getByText('Your account has been deleted.')).toBeVisible()
  await expect(signIn(workbench.gateway.url, user.username, user.password)).rejects.toThrow()
})

test('root is told why the account stays', async ({ rootPage: page }) => {
  await page.goto('/settings')
  await expect(page.getByText('The root account cannot be deleted')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete account' })).toHaveCount(0)
})
