// @module-tag slow
import { setOption } from '@sluice/store/queries/options'
import { type Site, startSite } from '@sluice/testkit/http-site'
import { type ManagementBench, openManagementBench } from '@sluice/testkit/management-bench'
import { OIDC_CLIENT, type OidcProvider, startOidcProvider } from '@sluice/testkit/servers/oidc-provider'
import { openTestBrowser, type TestBrowser } from '@sluice/testkit/test-browser'
import { TOTP } from 'otpauth'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let bench: ManagementBench
let provider: OidcProvider
beforeEach(async () => {
  provider = await startOidcProvider()
  bench = await openManagementBench()
  bench.clock.now = Date.now()
  const db = bench.database.kysely
  await setOption(db, 'OidcEnabled', 'true')
  await setOption(db, 'OidcClientId', OIDC_CLIENT.id)
  await setOption(db, 'OidcClientSecret', bench.vault.seal('option', OIDC_CLIENT.secret))
  await setOption(db, 'OidcWellKnown', `${provider.url}/.well-known/openid-configuration`)
  await bench.deps.versions.check()
})
afterEach(async () => {
  expect(bench.reported).toEqual([])
  await bench.close()
  await provider.close()
})

async function consent(browser: TestBrowser): Promise<URLSearchParams> {
  const begun = (await browser.ask('GET', '/api/oauth/state?provider=oidc')) as { authorization_url?: string }
  const page = await fetch(begun.authorization_url ?? '', { redirect: 'manual' })
  return new URL(page.headers.get('location') ?? '').searchParams
}
const finish = (browser: TestBrowser, query: URLSearchParams) =>
  browser.ask('GET', `/api/oauth/oidc?${query.toString()}`)
async function signIn(browser = openTestBrowser(bench)) {
  return await finish(browser, await consent(browser))
}
const users = async () => (await bench.database.kysely.selectFrom('user').select('username').execute()).length
const tokenCalls = () => provider.seen.filter(({ path }) => path === '/token').length

describe('the state', { tags: 'S34' }, () => {
  test('works once', async () => {
    const browser = openTestBrowser(bench)
    const query = await consent(browser)
    expect(await finish(browser, query)).toMatchObject({ success: true })
    expect(await finish(browser, query)).toMatchObject({ success: false, code: 'oauth_state_invalid', status: 200 })
    expect(tokenCalls()).toBe(1)
  })

  test('works once even when two calls arrive at the same time', async () => {
    const browser = openTestBrowser(bench)
    const query = await consent(browser)
    const replies = await Promise.all([finish(browser, query), finish(browser, query), finish(browser, query)])
    expect(replies.filter(({ success }) => success)).toHaveLength(1)
    expect(tokenCalls()).toBe(1)
  })

  test.each(['', 'x', 'A'.repeat(32), "' or 1=1 --"])('cannot be left out or made up: %j', async (state) => {
    const browser = openTestBrowser(bench)
    const query = await consent(browser)
    query.set('state', state)
    expect(await finish(browser, query)).toMatchObject({ success: false, code: 'oauth_state_invalid', status: 200 })
    expect(tokenCalls()).toBe(0)
  })

  test('works only in the browser that began, and is not lost by another’s try', async () => {
    const victim = openTestBrowser(bench)
    const query = await consent(victim)
    for (const other of [openTestBrowser(bench), await begun()]) {
      expect(await finish(other, query)).toMatchObject({ success: false, code: 'oauth_state_invalid' })
    }
    expect(await finish(victim, query)).toMatchObject({ success: true })
  })

  async function begun(): Promise<TestBrowser> {
    const browser = openTestBrowser(bench)
    await consent(browser)
    return browser
  }

  test('ends after ten minutes', async () => {
    const browser = openTestBrowser(bench)
    const query = await consent(browser)
    bench.clock.now += 10 * 60_000
    expect(await finish(browser, query)).toMatchObject({ code: 'oauth_state_invalid' })
  })

  test('of one provider is not a state for another', async () => {
    const browser = openTestBrowser(bench)
    await setOption(bench.database.kysely, 'LarkClientId', 'cli_1')
    await bench.deps.versions.check()
    const query = await consent(browser)
    expect(await browser.ask('GET', `/api/oauth/lark?${query.toString()}`)).toMatchObject({
      code: 'oauth_state_invalid',
    })
    const plain = await browser.ask<string>('GET', '/api/oauth/state')
    query.set('state', plain.data ?? '')
    expect(await finish(browser, query)).toMatchObject({ code: 'oauth_state_invalid' })
  })

  test('can carry what a console appends, which is not trusted here', async () => {
    const browser = openTestBrowser(bench)
    const query = await consent(browser)
    query.set('state', `${query.get('state')}redirect_to=https://evil.example.com`)
    const reply = await finish(browser, query)
    expect(reply).toMatchObject({ success: true })
    expect(JSON.stringify(reply)).not.toContain('evil')
  })

  test.each(['/.well-known/openid-configuration', '/token'])(
    'works once more when the provider could not be asked: %s is out of order',
    async (path) => {
      const [browser, thief] = [openTestBrowser(bench), openTestBrowser(bench)]
      const query = await consent(browser)
      await consent(thief)
      // Discovery is cached by the address as written: another spelling is fetched again.
      await setOption(bench.database.kysely, 'OidcWellKnown', `${provider.url}/`)
      await bench.deps.versions.check()
      provider.outage = path
      for (const _ of [1, 2]) {
        expect(await finish(browser, query)).toMatchObject({ code: 'provider_failed', status: 200 })
        expect(await finish(thief, query)).toMatchObject({ code: 'oauth_state_invalid' })
      }
      provider.outage = undefined
      const replies = await Promise.all([finish(browser, query), finish(browser, query)])
      expect(replies.map(({ code }) => code ?? 'signed in').toSorted()).toEqual(['oauth_state_invalid', 'signed in'])
    },
  )

  test('does not live longer for having been put back', async () => {
    const browser = openTestBrowser(bench)
    const query = await consent(browser)
    provider.outage = '/token'
    bench.clock.now += 9 * 60_000
    expect(await finish(browser, query)).toMatchObject({ code: 'provider_failed' })
    provider.outage = undefined
    bench.clock.now += 60_000
    expect(await finish(browser, query)).toMatchObject({ code: 'oauth_state_invalid' })
  })

  test.each(['/keys', '/userinfo'])(
    'is used up when the provider has taken the code and then fails: %s',
    async (path) => {
      const browser = openTestBrowser(bench)
      const query = await consent(browser)
      provider.outage = path
      expect(await finish(browser, query)).toMatchObject({ code: 'provider_failed' })
      provider.outage = undefined
      expect(await finish(browser, query)).toMatchObject({ code: 'oauth_state_invalid' })
    },
  )

  test('is used up when the provider refuses the code', async () => {
    const browser = openTestBrowser(bench)
    const query = await consent(browser)
    query.set('code', 'wrong')
    expect(await finish(browser, query)).toMatchObject({ message: expect.stringContaining('invalid_grant') })
    expect(await finish(browser, query)).toMatchObject({ code: 'oauth_state_invalid' })
  })

  test('counts as a failure each time that it is put back', { tags: 'S28' }, async () => {
    const browser = openTestBrowser(bench)
    const query = await consent(browser)
    provider.outage = '/token'
    for (let i = 0; i < 20; i++) expect(await finish(browser, query)).toMatchObject({ code: 'provider_failed' })
    provider.outage = undefined
    expect(await finish(browser, query)).toMatchObject({ status: 429 })
  })

  test('is not stored as it is, and scripts cannot read its cookie', async () => {
    const browser = openTestBrowser(bench)
    const reply = await browser.ask<string>('GET', '/api/oauth/state', { headers: { 'x-test-secure': 'yes' } })
    expect(reply.headers.getSetCookie()[0]).toMatch(
      /^oauth_browser=[\w-]{43}; Max-Age=600; Path=\/api\/oauth; HttpOnly; Secure; SameSite=Lax$/,
    )
    const rows = JSON.stringify(await bench.database.kysely.selectFrom('oauth_state').selectAll().execute())
    expect(rows).not.toContain(reply.data)
    expect(rows).not.toContain(browser.cookies.get('oauth_browser'))
  })

  test('a page of another site can neither begin nor end a sign-in', async () => {
    const browser = openTestBrowser(bench)
    const query = await consent(browser)
    const headers = { 'sec-fetch-site': 'cross-site' }
    expect(await browser.ask('GET', `/api/oauth/oidc?${query.toString()}`, { headers })).toMatchObject({
      code: 'cross_site',
    })
    expect(await browser.ask('GET', '/api/oauth/state', { headers })).toMatchObject({ code: 'cross_site' })
  })
})

describe('an ID token', () => {
  const day = 86_400
  const now = () => Math.floor(Date.now() / 1_000)
  test.each([
    ['of another nonce', () => ({ nonce: 'another' })],
    ['without a nonce', () => ({ nonce: undefined })],
    ['for another client', () => ({ aud: 'another-client' })],
    ['for several clients, issued to another', () => ({ aud: [OIDC_CLIENT.id, 'other'], azp: 'other' })],
    ['of another issuer', () => ({ iss: 'https://evil.example.com' })],
    ['that has expired', () => ({ iat: now() - day, exp: now() - day / 2 })],
    ['of the future', () => ({ iat: now() + day, nbf: now() + day, exp: now() + 2 * day })],
    ['without a subject', () => ({ sub: undefined })],
  ])('%s lets no one in', async (_, change) => {
    provider.tamper = (claims) => JSON.parse(JSON.stringify({ ...claims, ...change() })) as typeof claims
    const browser = openTestBrowser(bench)
    const reply = await signIn(browser)
    expect(reply).toMatchObject({ success: false, code: 'provider_failed', status: 200 })
    expect(browser.cookies.has('session')).toBe(false)
    expect(await users()).toBe(0)
  })

  test('signed by a key that the provider does not have lets no one in', async () => {
    provider.signsWithForeignKey = true
    expect(await signIn()).toMatchObject({ success: false, code: 'provider_failed' })
    expect(await users()).toBe(0)
  })

  test('of one person does not go with the userinfo of another', async () => {
    provider.userinfoSubject = 'somebody-else'
    expect(await signIn()).toMatchObject({ success: false, code: 'provider_failed' })
    expect(await users()).toBe(0)
  })
})

test.each(['javascript:alert(1)', 'authorize', 'ftp://provider.example.org/'])(
  'a provider cannot send the browser to %s',
  { tags: 'S14' },
  async (endpoint) => {
    const site: Site = await startSite(() => ({
      body: { issuer: site.url, authorization_endpoint: endpoint, token_endpoint: site.url, jwks_uri: site.url },
    }))
    await setOption(bench.database.kysely, 'OidcWellKnown', site.url)
    await bench.deps.versions.check()
    const reply = await openTestBrowser(bench).ask('GET', '/api/oauth/state?provider=oidc')
    expect(reply).toMatchObject({ success: false, code: 'provider_failed', status: 200 })
    await site.close()
  },
)

test('a stolen code is useless: the verifier stays with the browser that began', async () => {
  const victim = openTestBrowser(bench)
  const thief = openTestBrowser(bench)
  const stolen = await consent(victim)
  const own = await consent(thief)
  own.set('code', stolen.get('code') ?? '')
  expect(await finish(thief, own)).toMatchObject({ success: false, message: expect.stringContaining('invalid_grant') })
})

test('a refusal repeats neither secrets nor what the provider made up', { tags: 'S20' }, async () => {
  const browser = openTestBrowser(bench)
  const query = await consent(browser)
  query.set('code', 'wrong-canary-code')
  expect(JSON.stringify(await finish(browser, query))).not.toMatch(/canary/)
})

describe('taking over an account', () => {
  const mail = (email: string, email_verified: boolean) => {
    provider.person = { sub: 'intruder', email, email_verified }
  }
  const withMail = async (email: string) => {
    const ann = await bench.addCaller('ann', 1)
    await bench.database.kysely.updateTable('user').set({ email }).where('id', '=', ann.id).execute()
    return ann
  }

  test.each([true, false])('by its address does not work, verified: %s', async (verified) => {
    const ann = await withMail('ann@example.com')
    mail('ann@example.com', verified)
    const reply = await signIn()
    expect(reply).toMatchObject({ success: true })
    expect(reply.data).not.toMatchObject({ id: ann.id })
    const rows = await bench.database.kysely.selectFrom('user').select('email').where('id', '<>', ann.id).execute()
    expect(rows).toEqual([{ email: '' }])
  })

  test('an address that was not verified is not stored', async () => {
    mail('ceo@example.com', false)
    await signIn()
    expect(await bench.database.kysely.selectFrom('user').select('email').execute()).toEqual([{ email: '' }])
  })

  test('by its subject at another issuer does not work', async () => {
    const first = await signIn()
    await provider.close()
    provider = await startOidcProvider()
    await setOption(bench.database.kysely, 'OidcWellKnown', `${provider.url}/.well-known/openid-configuration`)
    await bench.deps.versions.check()
    const second = await signIn()
    expect(second).toMatchObject({ success: true })
    expect(second.data).not.toEqual(first.data)
  })

  test('by a name like that of an administrator gives no role', async () => {
    provider.person = { sub: 'x', preferred_username: 'admin', ...({ role: 100 } as object) }
    expect((await signIn()).data).toMatchObject({ role: 1 })
  })

  test('that is disabled opens nothing', async () => {
    const browser = openTestBrowser(bench)
    await signIn(browser)
    await bench.database.kysely.updateTable('user').set({ status: 2 }).execute()
    expect(await signIn()).toMatchObject({ success: false, code: 'account_disabled', status: 200 })
  })
})

test('two first sign-ins of one person at the same time open one account', async () => {
  const browsers = [openTestBrowser(bench), openTestBrowser(bench), openTestBrowser(bench)]
  const queries = await Promise.all(browsers.map(consent))
  const replies = await Promise.all(browsers.map((browser, i) => finish(browser, queries[i] ?? new URLSearchParams())))
  expect(replies.map(({ success }) => success)).toEqual([true, true, true])
  expect(new Set(replies.map(({ data }) => JSON.stringify(data))).size).toBe(1)
  expect(await users()).toBe(1)
})

test(
  'a user with a second step is asked for it here too, and a wrong code opens nothing',
  { tags: 'S13' },
  async () => {
    const first = openTestBrowser(bench)
    await signIn(first)
    const setup = await first.ask<{ secret: string }>('GET', '/api/user/totp/setup')
    const totp = new TOTP({ secret: setup.data?.secret ?? '' })
    const codeNow = () => totp.generate({ timestamp: bench.clock.now })
    await first.ask('POST', '/api/user/totp/confirm', { body: { totp_code: codeNow() } })
    bench.clock.now += 60_000

    const browser = openTestBrowser(bench)
    const query = await consent(browser)
    expect(await finish(browser, query)).toMatchObject({
      success: false,
      message: 'totp_required',
      data: { totp_required: true },
    })
    expect(browser.cookies.has('session')).toBe(false)
    query.set('totp_code', '000000')
    expect(await finish(browser, query)).toMatchObject({ success: false, code: 'totp_wrong', status: 200 })
    query.set('totp_code', codeNow())
    expect(await finish(openTestBrowser(bench), query)).toMatchObject({ code: 'oauth_state_invalid' })
    expect(await finish(browser, query)).toMatchObject({ success: true })
    expect(browser.cookies.has('session')).toBe(true)
    expect(await finish(browser, query)).toMatchObject({ code: 'oauth_state_invalid' })
  },
)

test('nothing is written for a guest where no provider is set up', { tags: 'S28' }, async () => {
  const db = bench.database.kysely
  const states = async () => (await db.selectFrom('oauth_state').selectAll().execute()).length
  const before = await states()
  await setOption(db, 'LarkClientId', '')
  await setOption(db, 'OidcEnabled', 'false')
  await bench.deps.versions.check()
  const refused = await bench.ask('GET', '/api/oauth/state', { headers: { 'x-test-address': '203.0.113.8' } })
  await setOption(db, 'OidcEnabled', 'true')
  await bench.deps.versions.check()
  expect(refused).toMatchObject({ success: false, code: 'provider_disabled' })
  expect(await states()).toBe(before)
})

test('an address that keeps beginning is slowed down', { tags: 'S28' }, async () => {
  const headers = { 'x-test-address': '203.0.113.7' }
  const statuses = []
  for (let i = 0; i < 101; i++) statuses.push((await bench.ask('GET', '/api/oauth/state', { headers })).status)
  expect(new Set(statuses.slice(0, 100))).toEqual(new Set([200]))
  expect(statuses[100]).toBe(429)
})

test('an address that keeps failing is slowed down; one that succeeds is not', { tags: 'S28' }, async () => {
  for (let i = 0; i < 25; i++) expect(await signIn()).toMatchObject({ success: true })
  const statuses = []
  for (let i = 0; i < 21; i++) statuses.push((await bench.ask('GET', '/api/oauth/oidc?code=x&state=y')).status)
  expect(new Set(statuses.slice(0, 20))).toEqual(new Set([200]))
  expect(statuses[20]).toBe(429)
})
