import type { Page } from '@playwright/test'
import { updateOption } from '@sluice/contract/routes/options'
import { ROOT_PASSWORD } from '@sluice/testkit/gateway-process'
import { belowPath, type LocalNginx, startLocalNginx } from '@sluice/testkit/local-nginx'
import { OIDC_CLIENT, type OidcProvider, startOidcProvider } from '@sluice/testkit/servers/oidc-provider'
import { openWorkbench, type Workbench } from '@sluice/testkit/workbench'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { type HeldUpstream, startHeldUpstream } from '../held-upstream.ts'

/** One gateway at `/ai` of two hosts: one proxy passes the path on, the other removes it. */
let bench: Workbench
let held: HeldUpstream
let provider: OidcProvider
let passing: LocalNginx
let removing: LocalNginx

test.beforeAll(async () => {
  held = await startHeldUpstream()
  provider = await startOidcProvider()
  bench = await openWorkbench({ SLUICE_BASE_PATH: '/ai', SLUICE_TRUSTED_PROXIES: '127.0.0.1' })
  passing = await startLocalNginx([bench.gateway.url], { change: belowPath('/ai', 'passed on') })
  removing = await startLocalNginx([bench.gateway.url], { change: belowPath('/ai', 'removed') })
  await bench.addChannel(['held-model'], { base_url: held.url })
  await bench.addToken()
  const settings = {
    ServerAddress: `${removing.url}/ai`,
    OidcClientId: OIDC_CLIENT.id,
    OidcClientSecret: OIDC_CLIENT.secret,
    OidcWellKnown: `${provider.url}/.well-known/openid-configuration`,
    OidcEnabled: 'true',
  }
  await bench.root.call(updateOption, { body: Object.entries(settings).map(([key, value]) => ({ key, value })) })
})
test.afterAll(async () => {
  await passing.stop()
  await removing.stop()
  await bench.close()
  await provider.close()
  await held.close()
})

/** Collects the page's requests to a host outside `/ai/`, and its errors. */
function watch(page: Page, host: string): readonly string[] {
  const wrong: string[] = []
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url())
    if (origin === host && !pathname.startsWith('/ai/')) wrong.push(request.url())
  })
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()))
  page.on('pageerror', (error) => wrong.push(error.message))
  return wrong
}

test('below a path that the proxy passes on, everything is below it: files, calls, streams, links', async ({
  page,
}) => {
  const wrong = watch(page, passing.url)
  const at = (path: string) => `${passing.url}/ai${path}`
  await page.goto(at('/logs?live=true'))
  await expect(page).toHaveURL(at('/login?redirect_to=%2Flogs%3Flive%3Dtrue'))
  await expectAccessible(page)
  await page.getByLabel('Username').fill('root')
  await page.getByLabel('Password', { exact: true }).fill(ROOT_PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(at('/logs?live=true'))
  await expect(page.getByRole('region', { name: 'Running now' })).toContainText('No call is running.')
  await page.reload()
  await expect(page.getByRole('region', { name: 'Running now' })).toContainText('No call is running.')
  const cookies = await page.context().cookies()
  expect(cookies.map(({ name, path }) => [name, path])).toContainEqual(['session', '/ai'])
  const stored = await page.evaluate(() => Object.keys(localStorage))
  expect(stored).toContain('sluice/ai.session')
  expect(stored.filter((name) => name.startsWith('sluice.'))).toEqual([])

  await page.getByRole('link', { name: 'Channels' }).first().click()
  await expect(page).toHaveURL(at('/channels'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Channels')
  await page.goto(at('/doctor'))
  const accounts = page.getByRole('link', { name: 'Open the page: Accounts' }).first()
  await expect(accounts).toHaveAttribute('href', '/ai/users')
  await accounts.click()
  await expect(page).toHaveURL(at('/users'))

  await page.goto(at('/chat?model=held-model'))
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Count.')
  await page.keyboard.press('Enter')
  const answer = await held.next()
  const coloured = page.waitForResponse((response) => /\/ai\/assets\/worker-[^/]+\.js$/.test(response.url()))
  answer.say('One, ')
  await expect(page.getByRole('article', { name: /^Reply/ })).toContainText('One,')
  answer.say('two.\n\n```js\nlet two = 2\n```\n')
  answer.end()
  await expect(page.getByRole('article', { name: /^Reply/ })).toContainText('let two = 2')
  expect((await coloured).status()).toBe(200)
  await expectAccessible(page)

  await page.getByRole('button', { name: /^Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/ai\/login/)
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('session')
  expect(wrong).toEqual([])
})

test('below a path that the proxy removes, a provider’s user comes back to the page asked for, and to no other host', async ({
  page,
}) => {
  const wrong = watch(page, removing.url)
  const at = (path: string) => `${removing.url}/ai${path}`
  provider.person = { sub: 'person-9', preferred_username: 'paula' }
  await page.goto(at('/tokens?size=20'))
  await page.getByRole('button', { name: 'Sign in with OpenID Connect' }).click()
  await expect(page).toHaveURL(at('/tokens?size=20'))
  await expect(page.getByRole('button', { name: 'Account menu for paula' })).toBeVisible()
  await page.goto(at('/'))
  await expect(page.getByText(at('/v1')).first()).toBeVisible()

  for (const target of ['//evil.example', '/ai//evil.example', '/\\evil.example']) {
    await page.goto(at(`/login?redirect_to=${encodeURIComponent(target)}`))
    await expect(page).toHaveURL(new RegExp(`^${at('/dashboard')}`))
  }
  for (const target of ['/.//evil.example', '/ai/.//evil.example', '/ai/x/..//evil.example']) {
    await page.goto(at(`/login?redirect_to=${encodeURIComponent(target)}`))
    await expect(page, target).toHaveURL(at('/evil.example'))
  }
  await page.goto(at('/login?redirect_to=/ai/tokens'))
  await expect(page).toHaveURL(at('/tokens'))
  await page.goto(at('//evil.example/x'))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(new URL(page.url()).origin).toBe(removing.url)
  await page.goto(`${removing.url}/ai`)
  await expect(page).toHaveURL(new RegExp(`^${at('/')}`))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(wrong.filter((line) => line !== `${removing.url}/ai`)).toEqual([])
})

test('the console opened past the proxy, without its path, goes to it', async ({ page }) => {
  await page.goto(`${bench.gateway.url}/logs`)
  await expect(page).toHaveURL(`${bench.gateway.url}/ai/login?redirect_to=%2Flogs`)
  await page.getByLabel('Username').fill('root')
  await page.getByLabel('Password', { exact: true }).fill(ROOT_PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${bench.gateway.url}/ai/logs`)
})
