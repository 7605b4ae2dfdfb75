import type { Page } from '@playwright/test'
import { self } from '@sluice/contract/routes/account'
import { updateOption } from '@sluice/contract/routes/options'
import { totpConfirm, totpSetup } from '@sluice/contract/routes/totp'
import { createUser } from '@sluice/contract/routes/users'
import { signIn } from '@sluice/testkit/management-client'
import { OIDC_CLIENT, type OidcProvider, startOidcProvider } from '@sluice/testkit/servers/oidc-provider'
import { openWorkbench, type Workbench } from '@sluice/testkit/workbench'
import { TOTP } from 'otpauth'
import { expect, test } from '../fixtures.ts'

/** A separate gateway with an OpenID Connect provider, so that its sign-in settings affect no other test. */
let bench: Workbench
let provider: OidcProvider
let url: string

test.beforeAll(async () => {
  provider = await startOidcProvider()
  bench = await openWorkbench()
  url = bench.gateway.url
  const settings = {
    ServerAddress: url,
    GitHubClientId: 'Iv1.abc',
    GitHubOAuthEnabled: 'true',
    LarkClientId: 'cli_1',
    OidcClientId: OIDC_CLIENT.id,
    OidcClientSecret: OIDC_CLIENT.secret,
    OidcWellKnown: `${provider.url}/.well-known/openid-configuration`,
    OidcEnabled: 'true',
    WeChatServerAddress: 'https://wechat.example',
    WeChatAuthEnabled: 'true',
  }
  const entries = Object.entries(settings).map(([key, value]) => ({ key, value }))
  await bench.root.call(updateOption, { body: entries })
})
test.afterAll(async () => {
  await bench.close()
  await provider.close()
})

const button = (page: Page, name: string) => page.getByRole('button', { name: `Sign in with ${name}` })

/** Stands in for the pages of GitHub and Lark, because no test leaves this machine. Returns the requested address. */
async function leaveFor(page: Page, host: RegExp, name: string): Promise<URL> {
  await page.route(host, (route) => route.fulfill({ contentType: 'text/html', body: 'the provider' }))
  await button(page, name).click()
  await page.waitForURL(host)
  return new URL(page.url())
}

test(
  'sign-in with GitHub and Lark starts with a state of the gateway, their client, scope and return address',
  { tag: ['@A2.21', '@A4.16', '@A4.17', '@A7.7', '@A7.24'] },
  async ({ page }) => {
    await page.goto(`${url}/login?redirect_to=/tokens`)
    const request = page.waitForRequest('**/api/oauth/state?*')
    const gitHub = await leaveFor(page, /^https:\/\/github\.com\//, 'GitHub')
    expect((await request).method()).toBe('GET')
    expect(gitHub.origin + gitHub.pathname).toBe('https://github.com/login/oauth/authorize')
    expect(Object.fromEntries(gitHub.searchParams)).toEqual({
      client_id: 'Iv1.abc',
      scope: 'user:email',
      redirect_uri: `${url}/oauth/github`,
      state: expect.stringMatching(/^[\w-]{32}\|redirect_to=\/tokens$/),
    })
    await page.goto(`${url}/login`)
    const lark = await leaveFor(page, /^https:\/\/accounts\.feishu\.cn\//, 'Lark')
    expect(Object.fromEntries(lark.searchParams)).toMatchObject({
      client_id: 'cli_1',
      redirect_uri: `${url}/oauth/lark`,
      state: expect.stringMatching(/^[\w-]{32}$/),
    })
  },
)

test(
  'without a state GitHub’s flow goes on, and signs no one in',
  { tag: ['@S34', '@A2.34', '@A4.16', '@A8.5'] },
  async ({ page }) => {
    const said: string[] = []
    page.on('console', (message) => message.type() === 'error' && said.push(message.text()))
    await page.route('**/api/oauth/state?*', (route) => route.fulfill({ json: { success: false, message: 'later' } }))
    await page.goto(`${url}/login`)
    const gitHub = await leaveFor(page, /^https:\/\/github\.com\//, 'GitHub')
    expect(gitHub.searchParams.get('state')).toBe('')
    expect(said.join()).toContain('Failed to acquire OAuth state: later')
    await page.goto(`${url}/oauth/github?code=abc&state=`)
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByRole('alert')).toHaveText('Invalid GitHub authentication parameters')
    await page.goto(`${url}/oauth/lark?state=abc`)
    await expect(page.getByRole('alert')).toHaveText('Invalid Lark authentication parameters')
    await button(page, 'Lark').click()
    await expect(page.getByText('Failed to acquire OAuth state')).toBeVisible()
    await expect(button(page, 'Lark')).toBeEnabled()
  },
)

test(
  'the button of the messaging app says in the console that it is not there, and does nothing else',
  { tag: ['@A2.21', '@A9.19'] },
  async ({ page }) => {
    await page.goto(`${url}/login`)
    const said = page.waitForEvent('console', (message) => message.text().includes('WeChat'))
    await button(page, 'WeChat').click()
    expect((await said).text()).toContain('not implemented')
    await expect(page).toHaveURL(`${url}/login`)
    await expect(button(page, 'WeChat')).toHaveAccessibleDescription(/not available/)
  },
)

test(
  'a provider’s user signs up and in, comes back to the page asked for, and takes the second step',
  { tag: ['@A2.35', '@A4.9', '@A4.10', '@A4.12'] },
  async ({ page }) => {
    provider.person = { sub: 'person-7', preferred_username: 'petra' }
    await page.goto(`${url}/logs?size=50`)
    await button(page, 'OpenID Connect').click()
    await expect(page).toHaveURL(/\/logs\?size=50$/)
    await expect(page.getByRole('button', { name: 'Account menu for petra' })).toBeVisible()

    const [cookie] = (await page.context().cookies()).filter(({ name }) => name === 'session')
    const ask = (path: string, init?: RequestInit) =>
      fetch(`${url}${path}`, {
        ...init,
        headers: { cookie: `session=${cookie?.value}`, 'content-type': 'application/json' },
      })
    const { data } = (await (await ask(totpSetup.path)).json()) as { data: { secret: string } }
    const totp = new TOTP({ secret: data.secret })
    const confirmed = await ask(totpConfirm.path, {
      method: 'POST',
      body: JSON.stringify({ totp_code: totp.generate() }),
    })
    const { recovery_codes } = ((await confirmed.json()) as { data: { recovery_codes: string[] } }).data
    await page.context().clearCookies()
    await page.evaluate(() => localStorage.clear())
    await page.goto(`${url}/login`)
    await button(page, 'OpenID Connect').click()
    await page.getByLabel('One-time code').press('Enter')
    await expect(page.getByLabel('One-time code')).toHaveAccessibleDescription(/Please enter your TOTP code/)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await expect(page.getByLabel('Recovery code'), 'not asked yet').not.toHaveAccessibleDescription(/Please enter/)
    await page.getByLabel('Recovery code').fill('NOT-IT')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toContainText('TOTP')
    await page.getByLabel('Recovery code').fill(recovery_codes[0] ?? '')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Account menu for petra' })).toBeVisible()
    await expect(page, 'no page was asked for').toHaveURL(`${url}/`)
  },
)

test(
  'a failing callback is sent again after 2, 4 and 6 s, then leads to sign-in',
  { tag: ['@A2.13', '@A2.14', '@A2.35', '@A4.13', '@A4.14', '@A4.15', '@A7.8', '@A8.5', '@A8.12', '@A9.15'] },
  async ({ page }) => {
    // Time passes only when the test advances it.
    await page.clock.install({ time: 0 })
    await page.clock.pauseAt(1_000)
    for (const [path, name] of [
      ['github', 'GitHub'],
      ['lark', 'Lark'],
    ] as const) {
      let calls = 0
      await page.route(`**/api/oauth/${path}?*`, async (route) => {
        calls += 1
        await route.fulfill({ json: { success: false, message: `no luck ${calls}` } })
      })
      await page.goto(`${url}/oauth/${path}?code=12345678901234567890&state=1e5`)
      await expect(page.getByText(`Verifying your ${name} account…`)).toBeVisible()
      await page.clock.runFor(1)
      for (const attempt of [1, 2, 3]) {
        await expect(page.getByText(`Authentication error, retrying ${attempt}/3...`)).toBeVisible()
        await expect(page.getByText(`no luck ${attempt}`)).toBeVisible()
        await page.clock.runFor(attempt * 2_000 - 1)
        expect(calls).toBe(attempt)
        const again = page.waitForRequest(`**/api/oauth/${path}?*`)
        await page.clock.runFor(1)
        const { searchParams } = new URL((await again).url())
        expect([searchParams.get('code'), searchParams.get('state')]).toEqual(['12345678901234567890', '1e5'])
      }
      await expect(page.getByText('Authentication failed, redirecting...')).toBeVisible()
      await page.clock.runFor(1_999)
      await expect(page).toHaveURL(/\/oauth\//)
      await page.clock.runFor(1)
      await expect(page).toHaveURL(/\/login$/)
      await expect(page.getByRole('alert')).toHaveText(`${name} authentication failed. Please try again.`)
      expect(calls).toBe(4)
    }
  },
)

test(
  'linking an account leads back to the settings with a success message',
  { tag: ['@A4.11', '@A7.8'] },
  async ({ page }) => {
    await bench.root.call(createUser, { body: { username: 'bound', password: 'a long password' } })
    const api = await signIn(url, 'bound', 'a long password')
    const { id, username, display_name, role, status } = await api.call(self)
    const [name = '', value = ''] = api.cookie.split('=')
    await page.context().addCookies([{ name, value, url }])
    const record = JSON.stringify({ user: { id, username, display_name, role, status }, authenticated: true })
    await page.addInitScript((session) => localStorage.setItem('sluice.session', session), record)

    provider.person = { sub: 'person-8' }
    await page.goto(`${url}/logs`)
    const begun = await page.evaluate(() =>
      fetch('/api/oauth/state?provider=oidc').then((reply) => reply.json() as Promise<{ authorization_url: string }>),
    )
    await page.goto(begun.authorization_url)
    await expect(page).toHaveURL(/\/settings/)
    await expect(page.getByText('Your OpenID Connect account is linked.')).toBeVisible()
    expect(await api.call(self)).toMatchObject({ oidc_id: 'person-8' })
  },
)
