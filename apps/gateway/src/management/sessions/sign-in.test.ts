// @module-tag slow
import { type ManagementBench, openManagementBench } from '@sluice/testkit/management-bench'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ensureRoot } from './root-account.ts'

const cookieOf = (reply: { headers: Headers }): string => reply.headers.getSetCookie()[0]?.replace(/;.*$/, '') ?? ''

describe('signing in', () => {
  let bench: ManagementBench
  beforeEach(async () => {
    bench = await openManagementBench()
    await ensureRoot(bench.deps, 'a long root password')
  })
  afterEach(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const signIn = (password = 'a long root password', headers = {}) =>
    bench.ask('POST', '/api/user/login', { body: { username: 'root', password }, headers })

  it('returns who is signed in and gives a session that the next calls carry', async () => {
    const reply = await signIn()
    expect(reply).toMatchObject({
      status: 200,
      success: true,
      message: '',
      data: { id: 1, username: 'root', display_name: 'Root User', role: 100, status: 1 },
    })
    expect(reply.data).not.toHaveProperty('password_change_required')
    const self = await bench.ask('GET', '/api/user/self', { as: cookieOf(reply) })
    expect(self).toMatchObject({ success: true, data: { username: 'root', quota: 500_000_000_000_000, used_quota: 0 } })
  })

  it('keeps the cookie out of scripts and off other sites, and on https only when there is https', async () => {
    const plain = (await signIn()).headers.getSetCookie()[0]
    expect(plain).toMatch(/^session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/)
    const secure = (await signIn(undefined, { 'x-test-secure': '1' })).headers.getSetCookie()[0]
    expect(secure).toContain('; Secure')
  })

  it('accepts an email instead of the name', async () => {
    await bench.ask('PUT', '/api/user/self', { as: cookieOf(await signIn()), body: { email: 'root@example.org' } })
    const body = { username: 'root@example.org', password: 'a long root password' }
    expect(await bench.ask('POST', '/api/user/login', { body })).toMatchObject({ success: true, data: { id: 1 } })
  })

  it('ends the session at sign-out, and again', async () => {
    const as = cookieOf(await signIn())
    const out = await bench.ask('GET', '/api/user/logout', { as })
    expect(out).toMatchObject({ success: true })
    expect(out.headers.getSetCookie()[0]).toMatch(/^session=; Max-Age=0/)
    expect(await bench.ask('GET', '/api/user/self', { as })).toMatchObject({ status: 401, code: 'not_logged_in' })
    expect(await bench.ask('GET', '/api/user/logout', { as })).toMatchObject({ success: true })
  })

  it('keeps a session that is used, and ends one that is not for seven days', async () => {
    const as = cookieOf(await signIn())
    const day = 24 * 3_600_000
    bench.clock.now += 6 * day
    const used = await bench.ask('GET', '/api/user/self', { as })
    expect(used.status).toBe(200)
    expect(cookieOf(used)).toBe(as)
    bench.clock.now += 6 * day
    expect((await bench.ask('GET', '/api/user/self', { as })).status).toBe(200)
    bench.clock.now += 7 * day + 1_000
    expect((await bench.ask('GET', '/api/user/self', { as })).status).toBe(401)
  })

  it('says what is missing', async () => {
    const reply = await bench.ask('POST', '/api/user/login', { body: { username: '' } })
    expect(reply).toMatchObject({ status: 200, success: false, code: 'invalid_body' })
    expect(reply.message).toBe('username: Username is required.')
  })

  it('lets only root in by password when passwords are switched off', async () => {
    const root = cookieOf(await signIn())
    await bench.ask('POST', '/api/user/', { as: root, body: { username: 'ann', password: 'password-1' } })
    await bench.ask('PUT', '/api/option/', { as: root, body: { key: 'PasswordLoginEnabled', value: false } })
    const ann = await bench.ask('POST', '/api/user/login', { body: { username: 'ann', password: 'password-1' } })
    expect(ann).toMatchObject({ status: 200, success: false, code: 'password_login_disabled' })
    expect(await signIn()).toMatchObject({ success: true })
  })
})

describe('the root account', () => {
  it('is created once, funded once, and finished after an interrupted start', async () => {
    const bench = await openManagementBench()
    expect(await ensureRoot(bench.deps, '')).toEqual({ created: true, password: 'well-known' })
    await bench.database.kysely.deleteFrom('transfer').execute()
    await bench.database.kysely.updateTable('account').set({ posted: 0n }).execute()
    expect(await ensureRoot(bench.deps, 'ignored now')).toEqual({ created: false, password: 'well-known' })
    expect(await ensureRoot(bench.deps, '')).toEqual({ created: false, password: 'well-known' })
    const [account] = await bench.database.kysely
      .selectFrom('account')
      .select('posted')
      .where('kind', '=', 'user')
      .execute()
    expect(account?.posted).toBe(500_000_000_000_000_000n)
    await bench.close()
  })

  it('has the given password when there is one', async () => {
    const bench = await openManagementBench()
    expect(await ensureRoot(bench.deps, 'from the environment')).toEqual({ created: true, password: 'own' })
    const body = { username: 'root', password: 'from the environment' }
    expect(await bench.ask('POST', '/api/user/login', { body })).toMatchObject({ success: true })
    await bench.close()
  })
})
