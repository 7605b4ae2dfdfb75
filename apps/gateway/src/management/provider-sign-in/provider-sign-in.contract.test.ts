import type { User } from '@sluice/contract/user'
import { setOption } from '@sluice/store/queries/options'
import { databaseEngines } from '@sluice/testkit/databases'
import { type ManagementBench, openManagementBench } from '@sluice/testkit/management-bench'
import { OIDC_CLIENT, type OidcProvider, startOidcProvider } from '@sluice/testkit/servers/oidc-provider'
import { openTestBrowser, type TestBrowser } from '@sluice/testkit/test-browser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

describe.each(databaseEngines)('signing in with a provider on %s', (engine) => {
  let bench: ManagementBench
  let provider: OidcProvider
  beforeAll(async () => {
    provider = await startOidcProvider()
    bench = await openManagementBench(engine)
    bench.clock.now = Date.now()
    const db = bench.database.kysely
    await setOption(db, 'OidcEnabled', 'true')
    await setOption(db, 'OidcClientId', OIDC_CLIENT.id)
    await setOption(db, 'OidcClientSecret', bench.vault.seal('option', OIDC_CLIENT.secret))
    await setOption(db, 'OidcWellKnown', `${provider.url}/.well-known/openid-configuration`)
    await setOption(db, 'QuotaForNewUser', '500')
    await bench.deps.versions.check()
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
    await provider.close()
  })

  async function consent(browser: TestBrowser): Promise<string> {
    const begun = (await browser.ask('GET', '/api/oauth/state?provider=oidc')) as { authorization_url?: string }
    const page = await fetch(begun.authorization_url ?? '', { redirect: 'manual' })
    return new URL(page.headers.get('location') ?? '').search
  }
  const finish = (browser: TestBrowser, search: string) => browser.ask<User>('GET', `/api/oauth/oidc${search}`)

  test('opens one account for one person, however many simultaneous calls there are, with its gift', async () => {
    provider.person = { sub: 'ann', preferred_username: 'ann' }
    const browsers = Array.from({ length: 4 }, () => openTestBrowser(bench))
    const searches = await Promise.all(browsers.map(consent))
    const replies = await Promise.all(browsers.map((browser, i) => finish(browser, searches[i] ?? '')))
    expect(new Set(replies.map(({ data }) => data?.id)).size).toBe(1)
    const self = await browsers[0]?.ask<User>('GET', '/api/user/self')
    expect(self?.data).toMatchObject({ username: 'ann', oidc_id: 'ann', quota: 500 })
    const users = await bench.database.kysely.selectFrom('user').select('username').execute()
    expect(users.filter(({ username }) => username.startsWith('ann') || username.startsWith('oidc_'))).toHaveLength(1)
  })

  test('accepts a state once, though three calls bring it', async () => {
    provider.person = { sub: 'bea' }
    const browser = openTestBrowser(bench)
    const search = await consent(browser)
    const replies = await Promise.all([1, 2, 3].map(() => finish(browser, search)))
    expect(replies.filter(({ success }) => success)).toHaveLength(1)
  })

  test('keeps the only sign-in method of an account until it has another', async () => {
    provider.person = { sub: 'gus', preferred_username: 'gus' }
    const browser = openTestBrowser(bench)
    await finish(browser, await consent(browser))
    const undo = () => browser.ask('DELETE', '/api/user/identity?provider=oidc')
    expect(await undo()).toMatchObject({ success: false, code: 'last_sign_in' })
    await browser.ask('PUT', '/api/user/self', { body: { password: 'a good password' } })
    expect(await undo()).toMatchObject({ success: true })
    expect(await undo()).toMatchObject({ success: false, code: 'not_found' })
    expect((await browser.ask<User>('GET', '/api/user/self')).data).toMatchObject({ oidc_id: '' })
  })

  test('binds an identity to one user, though two request it at once', async () => {
    provider.person = { sub: 'shared' }
    const callers = [await bench.addCaller('carl', 1), await bench.addCaller('dora', 1)]
    const browsers = callers.map(({ cookie }) => openTestBrowser(bench, cookie))
    const searches = await Promise.all(browsers.map(consent))
    const replies = await Promise.all(browsers.map((browser, i) => finish(browser, searches[i] ?? '')))
    expect(replies.map(({ message }) => message).toSorted()).toEqual([
      'This OpenID Connect account is already linked to another user.',
      'bind',
    ])
  })
})
