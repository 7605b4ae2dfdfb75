// @module-tag slow
import type { User } from '@sluice/contract/user'
import { setOption } from '@sluice/store/queries/options'
import { type Site, type SiteReply, startSite } from '@sluice/testkit/http-site'
import { type ManagementBench, openManagementBench } from '@sluice/testkit/management-bench'
import { openTestBrowser, type TestBrowser } from '@sluice/testkit/test-browser'
import { TOTP } from 'otpauth'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

/** Replies of the three services; tests change them. */
let github: { user: object; emails: SiteReply; token: object }
let lark: { user: object; token: object }
let weChat: SiteReply
let outage: string

let site: Site
let bench: ManagementBench
beforeEach(async () => {
  github = {
    token: { access_token: 'gho_1', token_type: 'bearer', scope: 'user:email' },
    user: { id: 583_231, login: 'octocat', name: 'The Octocat', email: 'public@example.com' },
    emails: { body: [{ email: 'octo@example.com', primary: true, verified: true }] },
  }
  lark = {
    token: { code: 0, access_token: 'u-1', token_type: 'Bearer' },
    user: { code: 0, msg: 'success', data: { name: '李娜', open_id: 'ou_1', email: 'lina@example.com' } },
  }
  weChat = { body: { success: true, message: '', data: 'wx-1' } }
  outage = ''
  site = await startSite(({ path }) => {
    if (path === outage) return { status: 503, body: { error: 'temporarily_unavailable' } }
    switch (path) {
      case '/login/oauth/access_token':
        return { body: github.token }
      case '/user':
        return { body: github.user }
      case '/user/emails':
        return github.emails
      case '/open-apis/authen/v2/oauth/token':
        return { body: lark.token }
      case '/open-apis/authen/v1/user_info':
        return { body: lark.user }
      case '/api/wechat/user':
        return weChat
      default:
        return { status: 404 }
    }
  })
  const { url } = site
  bench = await openManagementBench('sqlite', {
    providerAddresses: { github: url, githubApi: url, larkAccounts: url, lark: url },
  })
  await set({ GitHubOAuthEnabled: 'true', GitHubClientId: 'Iv1.abc', LarkClientId: 'cli_1' })
  await set({
    WeChatAuthEnabled: 'true',
    WeChatServerAddress: `${url}/`,
    ServerAddress: 'https://gateway.example.com/',
  })
  for (const key of ['GitHubClientSecret', 'LarkClientSecret', 'WeChatServerToken'] as const) {
    await set({ [key]: bench.vault.seal('option', `canary ${key}`) })
  }
})
afterEach(async () => {
  expect(bench.reported).toEqual([])
  await bench.close()
  await site.close()
})

async function set(options: Readonly<Record<string, string>>): Promise<void> {
  for (const [key, value] of Object.entries(options)) await setOption(bench.database.kysely, key as 'Notice', value)
  await bench.deps.versions.check()
}

/** The first call with a state, and the same call again after `repair`. */
async function twice(provider: 'github' | 'lark', repair: () => void) {
  const browser = openTestBrowser(bench)
  const { data: state } = await browser.ask<string>('GET', '/api/oauth/state')
  const call = () => browser.ask<User>('GET', `/api/oauth/${provider}?code=abc&state=${state}`)
  const first = await call()
  repair()
  return [first, await call()]
}

/** As the family's console does: a state without a provider, and a page address made by the console. */
async function signIn(provider: 'github' | 'lark', browser = openTestBrowser(bench)) {
  const { data: state } = await browser.ask<string>('GET', '/api/oauth/state')
  return await browser.ask<User>('GET', `/api/oauth/${provider}?code=abc&state=${state}`)
}
const self = async (browser: TestBrowser) => (await browser.ask<User>('GET', '/api/user/self')).data
const requested = (path: string) => site.seen.filter((request) => request.path === path)

describe('GitHub', () => {
  test('is called as its documentation says, and its numeric id is the person', async () => {
    const browser = openTestBrowser(bench)
    const first = await signIn('github', browser)
    expect(first.data).toMatchObject({ username: 'github_583231', display_name: 'The Octocat', role: 1 })
    expect(await self(browser)).toMatchObject({ github_id: 'octocat', email: 'octo@example.com' })
    const [token] = requested('/login/oauth/access_token')
    expect(token?.headers.accept).toBe('application/json')
    expect(JSON.parse(token?.body ?? '')).toEqual({
      client_id: 'Iv1.abc',
      client_secret: 'canary GitHubClientSecret',
      code: 'abc',
    })
    expect(requested('/user')[0]?.headers).toMatchObject({ authorization: 'Bearer gho_1', 'user-agent': 'Sluice' })

    github.user = { id: 583_231, login: 'renamed' }
    expect((await signIn('github')).data).toEqual(first.data)
    github.user = { id: 9, login: 'octocat' }
    expect((await signIn('github')).data?.id).not.toBe(first.data?.id)
  })

  test.each([
    ['unverified', { body: [{ email: 'octo@example.com', primary: true, verified: false }] }],
    ['unknown', { status: 404 }],
    ['no list', { body: { message: 'Not Found' } }],
  ] as const)('an address that is %s is not stored', async (_, emails) => {
    github.emails = emails
    const browser = openTestBrowser(bench)
    expect(await signIn('github', browser)).toMatchObject({ success: true })
    expect(await self(browser)).toMatchObject({ email: '' })
  })

  test.each([
    [{ error: 'bad_verification_code', error_description: 'canary words' }, 'bad_verification_code'],
    [{ access_token: 7 }, 'the code was not accepted'],
    [[], 'without JSON'],
  ])('a code it refuses opens nothing: %j', async (token, reason) => {
    github.token = token
    const reply = await signIn('github')
    expect(reply).toMatchObject({ success: false, code: 'provider_failed', status: 200 })
    expect(reply.message).toContain(reason)
    expect(reply.message).not.toContain('canary')
  })

  test.each([{ id: 0 }, { id: '583231' }, { id: 1.5 }, { login: 'octocat' }, {}])(
    'an answer without a proper id opens nothing: %j',
    async (user) => {
      github.user = user
      expect(await signIn('github')).toMatchObject({ success: false, code: 'provider_failed' })
    },
  )

  test('its page is returned to a client that names GitHub when beginning', async () => {
    const begun = (await bench.ask('GET', '/api/oauth/state?provider=github')) as { authorization_url?: string }
    const url = new URL(begun.authorization_url ?? '')
    expect(url.origin + url.pathname).toBe(`${site.url}/login/oauth/authorize`)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'Iv1.abc',
      scope: 'user:email',
      redirect_uri: 'https://gateway.example.com/oauth/github',
    })
  })
})

describe('Lark', () => {
  test('is called as its documentation says, and its open_id is the person', async () => {
    const browser = openTestBrowser(bench)
    const first = await signIn('lark', browser)
    expect(first.data).toMatchObject({ username: expect.stringMatching(/^lark_[0-9a-f]{8}$/), display_name: '李娜' })
    expect(await self(browser)).toMatchObject({ lark_id: 'ou_1', email: '' })
    expect(JSON.parse(requested('/open-apis/authen/v2/oauth/token')[0]?.body ?? '')).toEqual({
      grant_type: 'authorization_code',
      client_id: 'cli_1',
      client_secret: 'canary LarkClientSecret',
      code: 'abc',
      redirect_uri: 'https://gateway.example.com/oauth/lark',
    })
    expect(requested('/open-apis/authen/v1/user_info')[0]?.headers).toMatchObject({ authorization: 'Bearer u-1' })
    expect((await signIn('lark')).data).toEqual(first.data)
  })

  test('an error number of its own opens nothing', async () => {
    lark.token = { code: 20_003, error: 'invalid_grant', error_description: 'canary' }
    expect(await signIn('lark')).toMatchObject({ code: 'provider_failed', message: expect.stringContaining('20003') })
    lark = { token: { code: 0, access_token: 'u-1' }, user: { code: 0, data: {} } }
    expect(await signIn('lark')).toMatchObject({ code: 'provider_failed' })
  })

  test('is off without a client id, and names its page', async () => {
    const begun = (await bench.ask('GET', '/api/oauth/state?provider=lark')) as { authorization_url?: string }
    const url = new URL(begun.authorization_url ?? '')
    expect(url.pathname).toBe('/open-apis/authen/v1/authorize')
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ client_id: 'cli_1', response_type: 'code' })
    await set({ LarkClientId: '' })
    expect(await signIn('lark')).toMatchObject({ code: 'provider_disabled' })
  })
})

describe('a call that a console repeats', () => {
  const repair = () => void (outage = '')
  test.each([
    ['github', '/login/oauth/access_token'],
    ['lark', '/open-apis/authen/v2/oauth/token'],
  ] as const)('works when %s could not be asked about the code before', async (provider, path) => {
    outage = path
    const [first, second] = await twice(provider, repair)
    expect(first).toMatchObject({ code: 'provider_failed', message: expect.stringContaining('it answered 503') })
    expect(second).toMatchObject({ success: true })
  })

  test.each([
    ['github', '/user'],
    ['lark', '/open-apis/authen/v1/user_info'],
  ] as const)('fails when %s has taken the code', async (provider, path) => {
    outage = path
    const replies = await twice(provider, repair)
    expect(replies.map(({ code }) => code)).toEqual(['provider_failed', 'oauth_state_invalid'])
  })

  test('tries again as long as the provider is not reached', async () => {
    await site.close()
    const replies = await twice('github', repair)
    expect(replies.map(({ code }) => code)).toEqual(['provider_failed', 'provider_failed'])
  })

  test('binds for the user who began, and for no one else', async () => {
    const [ann, bob] = [await bench.addCaller('ann', 1), await bench.addCaller('bob', 1)]
    const browser = openTestBrowser(bench, ann.cookie)
    const { data: state } = await browser.ask<string>('GET', '/api/oauth/state')
    const call = () => browser.ask('GET', `/api/oauth/github?code=abc&state=${state}`)
    outage = '/login/oauth/access_token'
    expect(await call()).toMatchObject({ code: 'provider_failed' })
    repair()
    browser.cookies.set('session', bob.cookie.replace('session=', ''))
    expect(await call()).toMatchObject({ code: 'oauth_state_invalid' })
    expect(await self(browser)).toMatchObject({ username: 'bob', github_id: '' })
  })
})

describe('WeChat', () => {
  const enter = (browser = openTestBrowser(bench)) => browser.ask<User>('GET', '/api/oauth/wechat?code=123456')

  test('signs in the person who typed the code, as the operator’s server knows them', async () => {
    const browser = openTestBrowser(bench)
    const first = await enter(browser)
    expect(first).toMatchObject({ success: true, data: { username: expect.stringMatching(/^wechat_[0-9a-f]{8}$/) } })
    expect(await self(browser)).toMatchObject({ wechat_id: 'wx-1' })
    const [request] = requested('/api/wechat/user')
    expect(request?.query.get('code')).toBe('123456')
    expect(request?.headers.authorization).toBe('canary WeChatServerToken')
    expect((await enter()).data).toEqual(first.data)
  })

  test('asks a user with a second step for it, with the same code', { tags: 'S13' }, async () => {
    const first = openTestBrowser(bench)
    await enter(first)
    const setup = await first.ask<{ secret: string }>('GET', '/api/user/totp/setup')
    const totp = new TOTP({ secret: setup.data?.secret ?? '' })
    const codeNow = () => totp.generate({ timestamp: bench.clock.now })
    await first.ask('POST', '/api/user/totp/confirm', { body: { totp_code: codeNow() } })
    bench.clock.now += 60_000
    const browser = openTestBrowser(bench)
    expect(await enter(browser)).toMatchObject({ success: false, message: 'totp_required' })
    weChat = { body: { success: false, message: 'unknown code' } }
    const url = `/api/oauth/wechat?code=123456&totp_code=${codeNow()}`
    expect(await openTestBrowser(bench).ask('GET', url)).toMatchObject({ success: false, code: 'provider_failed' })
    expect(await browser.ask('GET', url)).toMatchObject({ success: true })
    expect(await self(browser)).toMatchObject({ wechat_id: 'wx-1' })
  })

  test('is bound to the signed-in account, unless it belongs to another user', async () => {
    const ann = await bench.addCaller('ann', 1)
    const bind = (cookie: string) => bench.ask('GET', '/api/oauth/wechat/bind?code=1', { as: cookie })
    expect(await bind(ann.cookie)).toMatchObject({ success: true })
    expect((await enter()).data).toMatchObject({ id: ann.id })
    const bob = await bench.addCaller('bob', 1)
    expect(await bind(bob.cookie)).toMatchObject({ success: false, code: 'identity_taken' })
    expect(await bind('')).toMatchObject({ code: 'not_logged_in', status: 401 })
  })

  test.each([
    { body: { success: false, message: 'canary', data: 'wx-1' } },
    { body: { success: true, data: '' } },
    { body: { success: true, data: 7 } },
    { body: { success: true, data: 'x'.repeat(256) } },
    { body: { success: true, data: 'wx-1\n' } },
    { body: { success: true, data: 'wx-\ud800' } },
    { body: { success: true, data: ['wx-1'] } },
    { body: '<script>canary</script>' },
    { body: { success: 'true', data: 'wx-1' } },
    { status: 500, body: 'canary' },
    { status: 302, headers: { location: 'https://evil.example.com/' } },
  ])('an answer that is not a clear yes opens nothing: %j', async (answer) => {
    weChat = answer
    const reply = await enter()
    expect(reply).toMatchObject({ success: false, code: 'provider_failed', status: 200 })
    expect(reply.message).not.toContain('canary')
  })

  test('a server at a forbidden address is not called, and the token stays here', { tags: 'S5' }, async () => {
    await set({ WeChatServerAddress: 'http://169.254.169.254/' })
    expect(await enter()).toMatchObject({ code: 'provider_failed', message: expect.stringContaining('not allowed') })
    await set({ WeChatAuthEnabled: 'false' })
    expect(await enter()).toMatchObject({ code: 'provider_disabled' })
  })

  test('codes cannot be guessed: an address gets 20 tries in 20 minutes', { tags: 'S28' }, async () => {
    weChat = { body: { success: false, message: 'wrong code' } }
    const headers = { 'x-test-address': '203.0.113.9' }
    const statuses = []
    for (let i = 0; i < 21; i++) {
      statuses.push((await bench.ask('GET', `/api/oauth/wechat?code=${i}`, { headers })).status)
    }
    expect(statuses[20]).toBe(429)
    expect(requested('/api/wechat/user')).toHaveLength(20)
  })

  test('a page of another site cannot sign anyone in with its own code', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    expect(await bench.ask('GET', '/api/oauth/wechat?code=1', { headers })).toMatchObject({ code: 'cross_site' })
    expect(requested('/api/wechat/user')).toEqual([])
  })
})
