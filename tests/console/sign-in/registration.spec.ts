import type { Page } from '@playwright/test'
import { invitationCode, self } from '@sluice/contract/routes/account'
import { updateOption } from '@sluice/contract/routes/options'
import { createUser } from '@sluice/contract/routes/users'
import { signIn } from '@sluice/testkit/management-client'
import { type MailServer, startMailServer } from '@sluice/testkit/servers/mail-server'
import { openWorkbench, type Workbench } from '@sluice/testkit/workbench'
import { expect, test } from '../fixtures.ts'

/** A separate gateway with a mail server, so that its mail and registration settings affect no other test. */
let bench: Workbench
let mails: MailServer
let url: string

test.beforeAll(async () => {
  mails = await startMailServer()
  bench = await openWorkbench()
  url = bench.gateway.url
  await set({
    SMTPServer: 'localhost',
    SMTPPort: String(mails.port),
    SMTPFrom: 'gateway@example.com',
    SMTPTransportSecurity: 'none',
    ServerAddress: url,
    EmailVerificationEnabled: 'true',
  })
})
test.afterAll(async () => {
  await bench.close()
  await mails.close()
})

async function set(options: Readonly<Record<string, string>>): Promise<void> {
  const entries = Object.entries(options).map(([key, value]) => ({ key, value }))
  await bench.root.call(updateOption, { body: entries })
}

async function mailTo(address: string): Promise<string> {
  const find = () => mails.received.findLast(({ to }) => to.includes(address))
  await expect.poll(find, { timeout: 15_000 }).toBeDefined()
  return decode(find()?.body ?? '')
}

function decode(body: string): string {
  return body
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
}

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const create = (page: Page) => page.getByRole('button', { name: 'Create account' })

test(
  'a visitor verifies an address, signs up by invitation and is asked to sign in',
  {
    tag: ['@A2.10', '@A2.23', '@A2.26', '@A2.27', '@A2.28', '@A3.14', '@A4.18', '@A5.10', '@A7.9', '@A7.10', '@B2.14'],
  },
  async ({ page }) => {
    const aff = await bench.root.call(invitationCode)
    await page.goto(`${url}/register?aff=${aff}`)
    await expect(field(page, 'Invitation code')).toHaveValue(aff)
    await field(page, 'Invitation code').fill(` ${aff} `)
    await field(page, 'Username').fill('nora')
    await field(page, 'Password').fill('garden-boat-77')
    await field(page, 'Confirm password').fill('garden-boat-77')
    await field(page, 'Email').fill('nora@example.com')

    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/verification?*', async (route) => {
      await held
      await route.continue()
    })
    const request = page.waitForRequest('**/api/verification?*')
    await page.getByRole('button', { name: 'Send Code' }).click()
    expect(new URL((await request).url()).searchParams.get('email')).toBe('nora@example.com')
    await expect(page.getByRole('button', { name: 'Sending...' })).toHaveAttribute('aria-disabled', 'true')
    release()
    await expect(page.getByRole('button', { name: 'Sent' })).toBeEnabled()
    const code = /code is:\s+([2-9A-HJ-NP-Z]{6})\b/.exec(await mailTo('nora@example.com'))?.[1] ?? ''

    await field(page, 'Verification code').fill('WRONG9')
    await create(page).click()
    await expect(field(page, 'Verification code')).toBeFocused()
    await expect(field(page, 'Verification code')).toHaveAccessibleDescription(/wrong/)
    await field(page, 'Verification code').fill(code)
    const sent = page.waitForRequest('**/api/user/register*')
    await create(page).click()
    expect((await sent).postDataJSON()).toEqual({
      username: 'nora',
      password: 'garden-boat-77',
      email: 'nora@example.com',
      verification_code: code,
      aff_code: aff,
    })
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByRole('status').filter({ hasText: 'Registration' })).toHaveText(
      'Registration successful! Please login with your credentials.',
    )
    const nora = await signIn(url, 'nora', 'garden-boat-77')
    expect(await nora.call(self)).toMatchObject({ email: 'nora@example.com', inviter_id: 1 })
  },
)

test(
  'the rules of the form are shown at their fields',
  { tag: ['@A5.4', '@A5.5', '@A5.6', '@A5.7', '@A5.8', '@A5.9', '@A9.14'] },
  async ({ page }) => {
    await page.goto(`${url}/register`)
    await field(page, 'Username').fill('ab')
    await field(page, 'Password').fill('1234567')
    await field(page, 'Confirm password').fill('1234567')
    await create(page).click()
    await expect(field(page, 'Username')).toBeFocused()
    await expect(field(page, 'Username')).toHaveAccessibleDescription('Username must be at least 3 characters')
    await expect(field(page, 'Password')).toHaveAccessibleDescription(/Password must be at least 8 characters/)
    await expect(field(page, 'Confirm password')).toHaveAccessibleDescription('Password confirmation is required')
    await expect(field(page, 'Email')).toHaveAccessibleDescription('Valid email is required')
    await expect(field(page, 'Verification code')).toHaveAccessibleDescription('Verification code is required')
    await field(page, 'Password').fill('garden-boat-77')
    await field(page, 'Confirm password').fill('garden-boat-78')
    await expect(field(page, 'Confirm password')).toHaveAccessibleDescription("Passwords don't match")
    await expect(field(page, 'Password')).toHaveAccessibleDescription('Strong.')
    await field(page, 'Username').fill('abc')
    await expect(field(page, 'Username')).not.toHaveAttribute('aria-invalid', 'true')
    for (const label of ['Password', 'Confirm password']) {
      await field(page, label).fill('12345678')
      await expect(field(page, label)).not.toHaveAttribute('aria-invalid', 'true')
    }
    for (const [label, value] of [
      ['Username', 'username'],
      ['Password', 'new-password'],
      ['Confirm password', 'new-password'],
      ['Email', 'email'],
      ['Verification code', 'one-time-code'],
    ] as const) {
      await expect(field(page, label)).toHaveAttribute('autocomplete', value)
    }
  },
)

test(
  'a code is sent to well-formed addresses only, and failures are reported',
  { tag: ['@A5.11', '@A8.3', '@A8.12'] },
  async ({ page }) => {
    await page.goto(`${url}/register`)
    const send = page.getByRole('button', { name: 'Send Code' })
    await expect(send).toBeDisabled()
    await field(page, 'Email').fill('nobody@')
    await expect(send).toBeDisabled()
    await expect(send).toHaveAccessibleDescription('Please enter a valid email address')
    await field(page, 'Email').fill('nobody@example.com')
    await page.route('**/api/verification?*', (route) => route.fulfill({ json: { success: false, message: '' } }))
    await send.click()
    await expect(page.getByText('Failed to send verification code')).toBeVisible()
    await expect(send).toBeEnabled()

    await field(page, 'Username').fill('root')
    await field(page, 'Password').fill('garden-boat-77')
    await field(page, 'Confirm password').fill('garden-boat-77')
    await field(page, 'Verification code').fill('ABCDEF')
    await page.route('**/api/user/register*', (route) => route.fulfill({ json: { success: false, message: '' } }))
    await create(page).click()
    await expect(page.getByRole('alert')).toHaveText('Registration failed')
    await page.route('**/api/user/register*', (route) =>
      route.fulfill({ json: { success: false, message: 'No, really.' } }),
    )
    await create(page).click()
    await expect(page.getByRole('alert')).toHaveText('No, really.')
  },
)

test('where addresses are not verified none is needed; where registration is closed the screen says so', async ({
  page,
}) => {
  await set({ EmailVerificationEnabled: 'false' })
  try {
    await page.goto(`${url}/register`)
    await page.getByRole('button', { name: 'Register without an email address' }).click()
    await expect(field(page, 'Email')).toHaveCount(0)
    await field(page, 'Username').fill('olga')
    await field(page, 'Password').fill('garden-boat-77')
    await field(page, 'Confirm password').fill('garden-boat-77')
    await create(page).click()
    await expect(page).toHaveURL(/\/login$/)
    await signIn(url, 'olga', 'garden-boat-77')
    await set({ RegisterEnabled: 'false' })
    await page.goto(`${url}/register`)
    await expect(page.getByText('Registration is closed here.')).toBeVisible()
    await expect(field(page, 'Username')).toHaveCount(0)
  } finally {
    await set({ EmailVerificationEnabled: 'true', RegisterEnabled: 'true' })
  }
})

test(
  'a forgotten password is reset by a mailed link',
  {
    tag: [
      '@A2.11',
      '@A2.12',
      '@A2.29',
      '@A2.30',
      '@A2.32',
      '@A2.33',
      '@A3.16',
      '@A4.19',
      '@A5.12',
      '@A5.13',
      '@A7.11',
      '@A7.12',
    ],
  },
  async ({ page }) => {
    const email = 'rita+1e5@example.com'
    await bench.root.call(createUser, { body: { username: 'rita', password: 'the first password', email } })
    await page.goto(`${url}/reset`)
    for (const address of ['', 'rita@', 'rita example.com']) {
      await field(page, 'Email').fill(address)
      await page.getByRole('button', { name: 'Send reset link' }).click()
      await expect(field(page, 'Email')).toHaveAccessibleDescription('Valid email is required')
    }
    await field(page, 'Email').fill(email)
    const request = page.waitForRequest('**/api/reset_password?*')
    await page.keyboard.press('Enter')
    expect(new URL((await request).url()).searchParams.get('email')).toBe(email)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check Your Email')
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await page.getByRole('link', { name: 'Back to Login' }).click()
    await expect(page).toHaveURL(/\/login$/)

    const link = /http\S+\/user\/reset\?[^\s"<>]+/.exec(await mailTo(email))?.[0] ?? ''
    await page.goto(link)
    await expect(page.getByText(`For ${email}`)).toBeVisible()
    await field(page, 'New password').fill('short')
    await field(page, 'Confirm password').fill('short')
    await page.getByRole('button', { name: 'Reset password' }).click()
    await expect(field(page, 'New password')).toHaveAccessibleDescription(/Password must be at least 8 characters/)
    await field(page, 'New password').fill('another-password-9')
    await field(page, 'Confirm password').fill('another-password-8')
    await expect(field(page, 'Confirm password')).toHaveAccessibleDescription("Passwords don't match")
    await field(page, 'Confirm password').fill('another-password-9')
    const sent = page.waitForRequest('**/api/user/reset')
    await page.getByRole('button', { name: 'Reset password' }).click()
    expect((await sent).postDataJSON()).toEqual({
      email,
      token: new URL(link).searchParams.get('token'),
      password: 'another-password-9',
    })
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByRole('status').filter({ hasText: 'reset' })).toHaveText(
      'Password reset successful! Please login with your new password.',
    )
    await signIn(url, 'rita', 'another-password-9')
  },
)

test(
  'a link without its parts leads to sign-in, and failed resets are reported',
  { tag: ['@A2.12', '@A2.31', '@A8.4', '@A8.12'] },
  async ({ page }) => {
    for (const query of ['', '?email=a@example.com', '?token=1e5']) {
      await page.goto(`${url}/user/reset${query}`)
      await expect(page).toHaveURL(/\/login$/)
      await expect(page.getByRole('alert')).toHaveText('Invalid or missing reset parameters')
    }
    await page.goto(`${url}/user/reset?email=a@example.com&token=1e5`)
    await field(page, 'New password').fill('another-password-9')
    await field(page, 'Confirm password').fill('another-password-9')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toContainText(/link/)
    await page.route('**/api/user/reset', (route) => route.fulfill({ json: { success: false, message: '' } }))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toHaveText('Password reset failed')
    await page.goto(`${url}/reset`)
    await field(page, 'Email').fill('a@example.com')
    await page.route('**/api/reset_password?*', (route) => route.fulfill({ json: { success: false, message: '' } }))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toHaveText('Failed to send reset email')
  },
)
