import type { Page } from '@playwright/test'
import { self } from '@sluice/contract/routes/account'
import { updateOption } from '@sluice/contract/routes/options'
import { createUser } from '@sluice/contract/routes/users'
import { type ManagementClient, signIn } from '@sluice/testkit/management-client'
import { type MailServer, startMailServer } from '@sluice/testkit/servers/mail-server'
import { OIDC_CLIENT, type OidcProvider, startOidcProvider } from '@sluice/testkit/servers/oidc-provider'
import { openWorkbench, type Workbench } from '@sluice/testkit/workbench'
import { expect, test } from '../fixtures.ts'

/** A separate gateway, because its address, mail server and sign-in provider are settings that must not change for other tests. */
let bench: Workbench
let mail: MailServer
let provider: OidcProvider
/** Browsers create passkeys for host names only. */
let address: string

const PASSWORD = 'a long password'

test.beforeAll(async () => {
  mail = await startMailServer()
  provider = await startOidcProvider()
  bench = await openWorkbench()
  address = bench.gateway.url.replace('127.0.0.1', 'localhost')
  const settings = {
    ServerAddress: address,
    SMTPServer: '127.0.0.1',
    SMTPPort: String(mail.port),
    SMTPFrom: 'sluice@example.org',
    SMTPTransportSecurity: 'none',
    EmailVerificationEnabled: 'true',
    OidcClientId: OIDC_CLIENT.id,
    OidcClientSecret: OIDC_CLIENT.secret,
    OidcWellKnown: `${provider.url}/.well-known/openid-configuration`,
    OidcEnabled: 'true',
  }
  await bench.root.call(updateOption, { body: Object.entries(settings).map(([key, value]) => ({ key, value })) })
})
test.afterAll(async () => {
  await bench.close()
  await provider.close()
  await mail.close()
})

async function openSettings(page: Page, username: string): Promise<ManagementClient> {
  await bench.root.call(createUser, { body: { username, password: PASSWORD } })
  await page.goto(`${address}/login?redirect_to=/settings`)
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  return signIn(bench.gateway.url, username, PASSWORD)
}

test('a passkey is added with a name, renamed and removed', async ({ page }) => {
  const devices = await page.context().newCDPSession(page)
  await devices.send('WebAuthn.enable')
  const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const api = await openSettings(page, 'ann')
  const part = page.getByRole('region', { name: 'Passkeys' })
  await expect(part.getByText('No passkeys yet.')).toBeVisible()
  await part.getByRole('button', { name: 'Add passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await expect(dialog.getByLabel('Name')).toHaveValue(/^Chrome on /)
  await dialog.getByLabel('Name').fill('my laptop')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(part.getByRole('listitem')).toHaveText([/my laptop.*Never used/s])
  await expect(api.call(self)).rejects.toThrow('not logged in')

  await part.getByRole('button', { name: 'Add passkey' }).click()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByText('This device already has a passkey for this account.')).toBeVisible()
  await devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await part.getByRole('button', { name: 'Rename my laptop' }).click()
  const rename = page.getByRole('dialog', { name: 'Rename passkey' })
  await rename.getByLabel('Name').fill(' ')
  await rename.getByRole('button', { name: 'Save' }).click()
  await expect(rename.getByText('Passkey name is required')).toBeVisible()
  await rename.getByLabel('Name').fill('old laptop')
  await rename.getByRole('button', { name: 'Save' }).click()
  await part.getByRole('button', { name: 'Remove old laptop' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(part.getByText('No passkeys yet.')).toBeVisible()
})

test('an account at a sign-in provider is linked by going there, and unlinked', async ({ page }) => {
  const api = await openSettings(page, 'bea')
  provider.person = { sub: 'bea-1' }
  const part = page.getByRole('region', { name: 'Linked accounts' })
  await expect(part.getByRole('listitem')).toHaveText([/OpenID Connect.*Not linked/s])
  await part.getByRole('button', { name: 'Link OpenID Connect' }).click()
  await expect(page).toHaveURL(/\/settings/)
  await expect(part.getByText('Linked as bea-1')).toBeVisible()
  expect(await api.call(self)).toMatchObject({ oidc_id: 'bea-1' })
  await part.getByRole('button', { name: 'Unlink OpenID Connect' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unlink' }).click()
  await expect(part.getByText('Not linked')).toBeVisible()
  expect(await api.call(self)).toMatchObject({ oidc_id: '' })
})

test('a new address is verified by the code that was mailed to it', async ({ page }) => {
  const api = await openSettings(page, 'cleo')
  const code = page.getByLabel('Verification code')
  await expect(code).toHaveCount(0)
  await page.getByLabel('Email').fill('cleo')
  await expect(page.getByRole('button', { name: 'Send Code' })).toBeDisabled()
  await page.getByLabel('Email').fill('cleo@example.org')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('Verification code is required').first()).toBeVisible()
  await page.getByRole('button', { name: 'Send Code' }).click()
  await expect(page.getByRole('button', { name: 'Sent' })).toBeVisible()
  await expect.poll(() => mail.received.map(({ to }) => to)).toContainEqual(['cleo@example.org'])
  await code.fill('AAAAAA')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('The verification code is wrong or has expired.').first()).toBeVisible()
  await code.fill(/code is:\s+([2-9A-HJ-NP-Z]{6})\b/.exec(mail.received.at(-1)?.body ?? '')?.[1] ?? '')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('User updated successfully')).toBeVisible()
  expect(await api.call(self)).toMatchObject({ email: 'cleo@example.org' })
})

test('another address needs the password when the sign-in is some time ago', { tag: '@S39' }, async ({ page }) => {
  const api = await openSettings(page, 'dora')
  // The gateway refuses like this when the sign-in is ten minutes old.
  await page.route('**/api/user/self', async (route) => {
    const body = route.request().method() === 'PUT' ? (route.request().postDataJSON() as object) : undefined
    if (body === undefined || 'current_password' in body) return route.fallback()
    const json = { success: false, message: 'Not yet', code: 'step_up_required', data: { password_required: true } }
    return route.fulfill({ json })
  })
  await page.getByLabel('Display name').fill('Dora')
  await page.getByRole('button', { name: 'Update' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm your identity' })
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(dialog.getByText('Password is required')).toBeVisible()
  await dialog.getByLabel('Current password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('User updated successfully')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  expect(await api.call(self)).toMatchObject({ display_name: 'Dora' })
})
