// @module-tag slow
import type { User } from '@sluice/contract/user'
import { setOption } from '@sluice/store/queries/options'
import { type ManagementBench, openManagementBench } from '@sluice/testkit/management-bench'
import { OIDC_CLIENT, type OidcProvider, startOidcProvider } from '@sluice/testkit/servers/oidc-provider'
import { openTestBrowser, type TestBrowser } from '@sluice/testkit/test-browser'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let bench: ManagementBench
let provider: OidcProvider
beforeEach(async () => {
  provider = await startOidcProvider()
  bench = await openManagementBench()
  bench.clock.now = Date.now()
  await set({
    OidcEnabled: 'true',
    OidcClientId: OIDC_CLIENT.id,
    OidcWellKnown: `${provider.url}/.well-known/openid-configuration`,
    ServerAddress: 'https://gateway.example.com',
  })
  await setOption(bench.database.kysely, 'OidcClientSecret', bench.vault.seal('option', OIDC_CLIENT.secret))
  await bench.deps.versions.check()
})
afterEach(async () => {
  expect(bench.reported).toEqual([])
  await bench.close()
  await provider.close()
})

async function set(options: Readonly<Record<string, string>>): Promise<void> {
  for (const [key, value] of Object.entries(options))
    await setOption(bench.database.kysely, key as 'OidcEnabled', value)
  await bench.deps.versions.check()
}

/** Goes to the provider's page that the server names, and returns the data of the provider's redirect. */
async function consent(browser: TestBrowser, query = ''): Promise<string> {
  const begun = await browser.ask<string>('GET', `/api/oauth/state?provider=oidc${query}`)
  expect(begun).toMatchObject({ success: true, data: expect.stringMatching(/^[\w-]{32}$/) })
  const { authorization_url: url = '' } = begun as { authorization_url?: string }
  const page = await fetch(url, { redirect: 'manual' })
  const back = new URL(page.headers.get('location') ?? '')
  expect(back.href.split('?')[0]).toBe('https://gateway.example.com/oauth/oidc')
  return back.search
}
const finish = (browser: TestBrowser, search: string) => browser.ask<User>('GET', `/api/oauth/oidc${search}`)
const signIn = async (browser = openTestBrowser(bench)) => await finish(browser, await consent(browser))
const self = async (browser: TestBrowser) => (await browser.ask<User>('GET', '/api/user/self')).data

describe('a sign-in with OpenID Connect', () => {
  test('opens an account the first time and finds it again the next', async () => {
    provider.person = {
      sub: 'p-1',
      preferred_username: 'ann.b',
      name: 'Ann B',
      email: 'ann@example.com',
      email_verified: true,
    }
    const browser = openTestBrowser(bench)
    const first = await signIn(browser)
    expect(first).toMatchObject({
      success: true,
      message: '',
      data: { username: 'ann.b', display_name: 'Ann B', role: 1 },
    })
    expect(await self(browser)).toMatchObject({ email: 'ann@example.com', oidc_id: 'p-1', github_id: '' })
    expect((await signIn()).data).toEqual(first.data)
  })

  test('recognises a person by their subject: another name or address changes nothing', async () => {
    provider.person = { sub: 'p-1', preferred_username: 'ann', email: 'ann@example.com', email_verified: true }
    const first = await signIn()
    provider.person = { sub: 'p-1', preferred_username: 'anna', email: 'other@example.com', email_verified: true }
    expect((await signIn()).data).toEqual(first.data)
  })

  test('chooses its own name when the suggested one is taken or empty', async () => {
    await bench.addCaller('ann', 1)
    provider.person = { sub: 'p-1', preferred_username: 'ann' }
    expect((await signIn()).data?.username).toMatch(/^oidc_[0-9a-f]{8}$/)
    provider.person = { sub: 'p-2', preferred_username: 'a@b.c' }
    expect((await signIn()).data?.username).toMatch(/^oidc_[0-9a-f]{8}$/)
  })

  test('gives the gifts of the settings, and promises the inviter theirs for a first charge', async () => {
    await set({ QuotaForNewUser: '500', QuotaForInvitee: '30', QuotaForInviter: '40' })
    const host = await bench.addCaller('host', 1)
    const { data: code } = await bench.ask<string>('GET', '/api/user/aff', { as: host })
    const browser = openTestBrowser(bench)
    await finish(browser, await consent(browser, `&aff=${code}`))
    expect(await self(browser)).toMatchObject({ quota: 530 })
    const promised = await bench.database.kysely.selectFrom('pending_gift').selectAll().execute()
    expect(promised).toMatchObject([{ user_id: host.id, quota: 40, awaits_user: expect.any(Number) }])
  })

  test('opens no account when sign-up is closed, and still lets in users who have one', async () => {
    await signIn()
    await set({ RegisterEnabled: 'false' })
    expect(await signIn()).toMatchObject({ success: true })
    provider.person = { sub: 'stranger' }
    expect(await signIn()).toMatchObject({ success: false, code: 'registration_disabled', status: 200 })
  })

  test('is refused while it is switched off, and while its provider cannot be read', async () => {
    await set({ OidcWellKnown: `${provider.url}/elsewhere` })
    expect(await bench.ask('GET', '/api/oauth/state?provider=oidc')).toMatchObject({
      code: 'provider_failed',
      status: 200,
    })
    await set({ OidcEnabled: 'false' })
    expect(await bench.ask('GET', '/api/oauth/state?provider=oidc')).toMatchObject({ code: 'provider_disabled' })
    expect(await bench.ask('GET', '/api/oauth/oidc?code=x&state=y')).toMatchObject({ code: 'provider_disabled' })
  })

  test('works with typed-in endpoints as well', async () => {
    await set({
      OidcWellKnown: '',
      OidcAuthorizationEndpoint: `${provider.url}/authorize`,
      OidcTokenEndpoint: `${provider.url}/token`,
      OidcUserinfoEndpoint: `${provider.url}/userinfo`,
    })
    provider.person = { sub: 'p-9', preferred_username: 'nina' }
    expect(await signIn()).toMatchObject({ success: true, data: { username: 'nina' } })
    expect(provider.seen.some(({ path }) => path === '/.well-known/openid-configuration')).toBe(false)
    for (const wrong of [{ nonce: 'x' }, { aud: 'x' }, { exp: 1 }, { sub: 'x' }]) {
      provider.tamper = (claims) => ({ ...claims, ...wrong })
      expect(await signIn()).toMatchObject({ success: false, code: 'provider_failed' })
    }
  })
})

describe('binding', () => {
  test('makes the provider’s account sign in as the user who is signed in', async () => {
    const ann = await bench.addCaller('ann', 1)
    const browser = openTestBrowser(bench, ann.cookie)
    expect(await signIn(browser)).toMatchObject({ success: true, message: 'bind' })
    expect(await self(browser)).toMatchObject({ id: ann.id, oidc_id: 'person-1' })
    expect((await signIn()).data).toMatchObject({ id: ann.id, username: 'ann' })
  })

  test('refuses a provider’s account that signs in as another user', async () => {
    await signIn()
    const ann = await bench.addCaller('ann', 1)
    const browser = openTestBrowser(bench, ann.cookie)
    expect(await signIn(browser)).toMatchObject({ success: false, code: 'identity_taken', status: 200 })
    expect(await self(browser)).toMatchObject({ oidc_id: '' })
  })

  test('replaces an earlier account at the same provider', async () => {
    const ann = await bench.addCaller('ann', 1)
    const browser = openTestBrowser(bench, ann.cookie)
    await signIn(browser)
    provider.person = { sub: 'p-2' }
    await signIn(browser)
    expect(await self(browser)).toMatchObject({ oidc_id: 'p-2' })
    provider.person = { sub: 'person-1' }
    expect((await signIn()).data?.id).not.toBe(ann.id)
  })

  test('works only for the user who began it: not after signing out, nor for another user', async () => {
    const ann = await bench.addCaller('ann', 1)
    const bob = await bench.addCaller('bob', 1)
    const browser = openTestBrowser(bench, ann.cookie)
    const search = await consent(browser)
    browser.cookies.set('session', bob.cookie.slice('session='.length))
    expect(await finish(browser, search)).toMatchObject({ code: 'oauth_state_invalid', status: 200 })
    expect(await self(browser)).toMatchObject({ id: bob.id, oidc_id: '' })
  })
})

test('an account that was deleted does not keep its owner from signing up again', async () => {
  const root = await bench.addCaller('root', 100)
  const first = await signIn()
  await bench.ask('DELETE', `/api/user/${first.data?.id}`, { as: root })
  const again = await signIn()
  expect(again).toMatchObject({ success: true })
  expect(again.data?.id).not.toBe(first.data?.id)
})
