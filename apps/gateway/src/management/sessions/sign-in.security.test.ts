// @module-tag slow
import { createHash } from 'node:crypto'
import { type ManagementBench, openManagementBench, type Reply } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ensureRoot } from './root-account.ts'

const cookieOf = (reply: Reply<unknown>): string => reply.headers.getSetCookie()[0]?.replace(/;.*$/, '') ?? ''

describe('sign-in under attack', () => {
  let bench: ManagementBench
  let root: string
  /** Every test has its own address, so that no throttle carries over to the next. */
  let address = 0
  beforeAll(async () => {
    bench = await openManagementBench()
    await ensureRoot(bench.deps, '')
    root = cookieOf(await signIn('root', '123456'))
    const users = ['ann', 'bob', 'cid', 'dan', 'eve'].map((username) => ({ username, password: 'right-password' }))
    for (const body of users) await bench.ask('POST', '/api/user/', { as: root, body })
  })
  beforeEach(() => (address += 1))
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const signIn = (username: string, password: string, headers: Record<string, string> = {}) =>
    bench.ask('POST', '/api/user/login', { body: { username, password }, headers })
  const from = (host: number) => ({ 'x-test-address': `198.51.${address}.${host}` })

  it('an unknown name, a wrong password and a banned account get the same answer', { tags: 'S31' }, async () => {
    await bench.database.kysely.updateTable('user').set({ status: 2 }).where('username', '=', 'bob').execute()
    const replies = [
      await signIn('nobody', 'right-password', from(1)),
      await signIn('ann', 'wrong-password', from(1)),
      await signIn('bob', 'right-password', from(1)),
    ]
    for (const { headers, ...reply } of replies) {
      expect(reply).toEqual({
        status: 200,
        success: false,
        code: 'bad_credentials',
        message: 'Username or password is wrong, or the account has been banned.',
      })
      expect(headers.getSetCookie()).toEqual([])
    }
  })

  it(
    'guessing a name is slowed down wherever it comes from, known or not, also in parallel',
    { tags: 'S31' },
    async () => {
      for (const name of ['cid', 'nobody-either']) {
        const tries = Array.from({ length: 16 }, (_, host) => signIn(name, 'wrong-password', from(host)))
        const statuses = (await Promise.all(tries)).map((reply) => reply.status)
        expect(statuses.filter((status) => status === 200)).toHaveLength(10)
        const refused = await signIn(name.toUpperCase(), 'right-password', from(99))
        expect(refused).toMatchObject({ status: 429, success: false, code: 'login_throttled' })
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      }
    },
  )

  it('one address cannot try many names', { tags: 'S28' }, async () => {
    const replies = []
    for (let i = 0; i < 22; i++) replies.push((await signIn(`name-${i}`, 'wrong-password', from(1))).status)
    expect(replies.filter((status) => status === 429)).toHaveLength(2)
    expect((await signIn('name-30', 'wrong-password', from(2))).status).toBe(200)
  })

  it('signing in successfully never counts', { tags: 'S28' }, async () => {
    for (let i = 0; i < 25; i++) expect((await signIn('ann', 'right-password', from(1))).success).toBe(true)
  })

  it('the well-known first password works only on this machine, and must be changed', { tags: 'S22' }, async () => {
    expect(await signIn('root', '123456')).toMatchObject({ success: true, data: { password_change_required: true } })
    const remote = [
      from(1),
      { 'x-test-address': '::ffff:198.51.100.7' },
      { 'x-forwarded-for': '198.51.100.7' },
      { forwarded: 'for=198.51.100.7' },
      { via: '1.1 proxy' },
      { host: 'sluice.example.org' },
      { origin: 'https://sluice.example.org', 'sec-fetch-site': 'same-origin' },
    ]
    for (const headers of remote) {
      const reply = await signIn('root', '123456', headers)
      expect([headers, reply.success, reply.code]).toEqual([headers, false, 'default_password_remote'])
      expect(reply.headers.getSetCookie()).toEqual([])
    }
    for (const local of ['::1', '127.0.0.9', '::ffff:127.0.0.1']) {
      expect(await signIn('root', '123456', { 'x-test-address': local })).toMatchObject({ success: true })
    }
  })

  it('a new sign-in gets a new session and ends the one it came with', { tags: 'S34' }, async () => {
    const first = cookieOf(await signIn('dan', 'right-password', from(1)))
    const second = cookieOf(await signIn('dan', 'right-password', { ...from(1), cookie: first }))
    expect(second).not.toBe(first)
    expect((await bench.ask('GET', '/api/user/self', { as: first })).status).toBe(401)
    const planted = `session=${'A'.repeat(43)}`
    expect(cookieOf(await signIn('dan', 'right-password', { ...from(1), cookie: planted }))).not.toBe(planted)
    expect((await bench.ask('GET', '/api/user/self', { as: planted })).status).toBe(401)
  })

  it('another site can neither sign anyone in nor out', { tags: 'S34' }, async () => {
    const cookie = cookieOf(await signIn('dan', 'right-password', from(1)))
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    const replies = [
      await signIn('dan', 'right-password', { ...from(1), ...foreign }),
      await bench.ask('GET', '/api/user/logout', { as: cookie, headers: foreign }),
      await bench.ask('PUT', '/api/user/self', { as: cookie, headers: foreign, body: { display_name: 'x' } }),
    ]
    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 400, success: false, code: 'cross_site' })
      expect(reply.headers.getSetCookie()).toEqual([])
    }
    expect(await bench.ask('GET', '/api/user/self', { as: cookie })).toMatchObject({ data: { display_name: 'dan' } })
  })

  it('only the digest of a session is stored, and the digest opens nothing', { tags: 'S9' }, async () => {
    const cookie = cookieOf(await signIn('dan', 'right-password', from(1)))
    const rows = await bench.database.kysely.selectFrom('session').selectAll().execute()
    const id = cookie.slice('session='.length)
    const stored = rows.map((row) => row.id_hash)
    expect(stored).not.toContain(id)
    expect(stored).toContain(createHash('sha256').update(id).digest('hex'))
    for (const idHash of stored) {
      expect((await bench.ask('GET', '/api/user/self', { as: `session=${idHash}` })).status).toBe(401)
    }
  })

  it('a new password ends every other session and keeps the one that set it', async () => {
    const here = cookieOf(await signIn('eve', 'right-password', from(1)))
    const elsewhere = cookieOf(await signIn('eve', 'right-password', from(2)))
    const changed = await bench.ask('PUT', '/api/user/self', { as: here, body: { password: 'another-password' } })
    expect(changed.success).toBe(true)
    expect((await bench.ask('GET', '/api/user/self', { as: elsewhere })).status).toBe(401)
    expect((await bench.ask('GET', '/api/user/self', { as: here })).status).toBe(401)
    expect((await bench.ask('GET', '/api/user/self', { as: cookieOf(changed) })).status).toBe(200)
    expect((await signIn('eve', 'right-password', from(3))).code).toBe('bad_credentials')
  })

  it('a cookie is never anything but a value', { tags: 'S6' }, async () => {
    for (const cookie of [
      "session=' or '1'='1",
      'session=%27--',
      'session=',
      'session=%00',
      `session=${'x'.repeat(8_000)}`,
    ]) {
      expect((await bench.ask('GET', '/api/user/self', { as: cookie })).status).toBe(401)
    }
  })
})
