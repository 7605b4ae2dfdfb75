// @module-tag slow
import { findFirstRoot } from '@sluice/store/queries/accounts/users'
import { type ManagementBench, openManagementBench, type Reply } from '@sluice/testkit/management-bench'
import { TOTP } from 'otpauth'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ensureRoot } from './root-account.ts'
import { LINK_LIFETIME_MS } from './sign-in-link.ts'

const cookieOf = (reply: Reply<unknown>): string => reply.headers.getSetCookie()[0]?.replace(/;.*$/, '') ?? ''

describe('the link that signs root in', { tags: 'S22' }, () => {
  let bench: ManagementBench
  beforeEach(async () => {
    bench = await openManagementBench()
    expect(await ensureRoot(bench.deps, '', 'link')).toEqual({ created: true, password: 'none' })
  })
  afterEach(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const follow = (token: string, headers: Record<string, string> = {}) =>
    bench.ask('POST', '/api/user/login/link', { body: { token }, headers })

  it('signs in once, and leads to the page where a password is set without a present one', async () => {
    const token = bench.deps.signInLink.issue()
    expect(token).toMatch(/^[\w-]{43}$/)
    const first = await follow(token)
    expect(first).toMatchObject({ success: true, data: { username: 'root', password_change_required: true } })
    const again = await follow(token)
    expect(again).toMatchObject({ success: false, code: 'sign_in_link_invalid' })
    expect(again.headers.getSetCookie()).toEqual([])

    const as = cookieOf(first)
    const body = { password: 'a password of my own' }
    expect(await bench.ask('PUT', '/api/user/self', { as, body })).toMatchObject({ success: true })
    const login = { username: 'root', ...body }
    expect(await bench.ask('POST', '/api/user/login', { body: login })).toMatchObject({ success: true })
    expect(await ensureRoot(bench.deps, '', 'link')).toEqual({ created: false, password: 'own' })
  })

  it('signs one in of many who use it at the same moment', async () => {
    const token = bench.deps.signInLink.issue()
    const replies = await Promise.all(Array.from({ length: 8 }, () => follow(token)))
    expect(replies.filter((reply) => reply.success)).toHaveLength(1)
  })

  it('ends after ten minutes', async () => {
    const token = bench.deps.signInLink.issue()
    bench.clock.now += LINK_LIFETIME_MS
    expect(await follow(token)).toMatchObject({ success: false, code: 'sign_in_link_invalid' })
  })

  it('is replaced by a newer one', async () => {
    const token = bench.deps.signInLink.issue()
    const newer = bench.deps.signInLink.issue()
    expect(await follow(token)).toMatchObject({ success: false, code: 'sign_in_link_invalid' })
    expect(await follow(newer)).toMatchObject({ success: true })
  })

  it('works neither from another machine nor through a proxy on this one, and is not used up by such a try', async () => {
    const token = bench.deps.signInLink.issue()
    const elsewhere: Record<string, string>[] = [
      { 'x-test-address': '198.51.100.7' },
      { 'x-test-address': '192.168.1.20' },
      { 'x-forwarded-for': '127.0.0.1' },
      { forwarded: 'for=127.0.0.1' },
      { 'x-real-ip': '127.0.0.1' },
      { via: '1.1 proxy' },
      { host: 'gateway.example' },
      { origin: 'https://gateway.example' },
    ]
    for (const headers of elsewhere) {
      const reply = await follow(token, headers)
      expect(reply, JSON.stringify(headers)).toMatchObject({ success: false })
      expect(reply.code).toMatch(/^(sign_in_link_remote|cross_site)$/)
      expect(reply.headers.getSetCookie()).toEqual([])
    }
    expect(await follow(token)).toMatchObject({ success: true })
  })

  it(
    'is not found by guessing, which is slowed down and does not keep root out',
    { tags: ['S31', 'S48'] },
    async () => {
      const token = bench.deps.signInLink.issue()
      const from = (host: number) => ({ 'x-test-address': `198.51.100.${host}` })
      const strangers = await Promise.all(Array.from({ length: 60 }, (_, i) => follow('a'.repeat(43), from(i % 2))))
      expect(strangers.filter(({ code }) => code === 'sign_in_link_remote')).toHaveLength(40)
      expect(strangers.filter(({ status }) => status === 429)).toHaveLength(20)
      expect(await follow(token)).toMatchObject({ success: true })

      const next = bench.deps.signInLink.issue()
      const local = await Promise.all(Array.from({ length: 35 }, () => follow('c'.repeat(43))))
      expect(local.filter(({ code }) => code === 'sign_in_link_invalid')).toHaveLength(30)
      expect(await follow(next)).toMatchObject({ status: 429, code: 'login_throttled' })
    },
  )

  it('asks for the second step where there is one, and is good until that is passed', { tags: 'S13' }, async () => {
    const as = cookieOf(await follow(bench.deps.signInLink.issue()))
    const { data } = await bench.ask<{ secret: string }>('GET', '/api/user/totp/setup', { as })
    const codeAt = (ms: number) => new TOTP({ secret: data?.secret ?? '' }).generate({ timestamp: ms })
    const body = { totp_code: codeAt(bench.clock.now) }
    expect(await bench.ask('POST', '/api/user/totp/confirm', { as, body })).toMatchObject({ success: true })

    const token = bench.deps.signInLink.issue()
    const withCode = (totp_code?: string) => bench.ask('POST', '/api/user/login/link', { body: { token, totp_code } })
    bench.clock.now += 60_000
    const code = codeAt(bench.clock.now)
    expect(await withCode()).toMatchObject({ success: false, code: 'totp_required' })
    expect(await withCode('000000')).toMatchObject({ success: false, code: 'totp_wrong' })
    expect(await withCode(code)).toMatchObject({ success: true, data: { username: 'root' } })
    expect(await withCode(code)).toMatchObject({ success: false, code: 'sign_in_link_invalid' })
  })

  it('signs no one in once root has a password, or is disabled', async () => {
    const root = await findFirstRoot(bench.database.kysely)
    const token = bench.deps.signInLink.issue()
    await bench.database.kysely.updateTable('user').set({ status: 2 }).execute()
    expect(await follow(token)).toMatchObject({ success: false, code: 'sign_in_link_invalid' })
    await bench.database.kysely.updateTable('user').set({ status: 1, password_hash: 'x' }).execute()
    expect(await follow(token)).toMatchObject({ success: false, code: 'sign_in_link_invalid' })
    await bench.database.kysely
      .updateTable('user')
      .set({ password_hash: '' })
      .where('id', '=', root?.id ?? 0)
      .execute()
    expect(await follow(token)).toMatchObject({ success: true })
  })

  it('is needed: no password opens an account without one', async () => {
    for (const password of ['123456', ' ', 'undefined', 'root']) {
      const body = { username: 'root', password }
      expect(await bench.ask('POST', '/api/user/login', { body })).toMatchObject({ code: 'bad_credentials' })
    }
    expect(await follow('x')).toMatchObject({ code: 'sign_in_link_invalid' })
  })

  it('is not needed with a password in the environment, at the first start or a later one', async () => {
    expect(await ensureRoot(bench.deps, 'from the environment', 'link')).toEqual({ created: false, password: 'own' })
    const body = { username: 'root', password: 'from the environment' }
    expect(await bench.ask('POST', '/api/user/login', { body })).toMatchObject({ success: true })
    expect(await ensureRoot(bench.deps, 'another password', 'link')).toEqual({ created: false, password: 'own' })
    expect(await bench.ask('POST', '/api/user/login', { body })).toMatchObject({ success: true })
  })

  it('leaves no token in the database', { tags: 'S20' }, async () => {
    const token = bench.deps.signInLink.issue()
    await follow(token)
    const tables = await bench.database.kysely.introspection.getTables()
    for (const { name } of tables) {
      const rows = await bench.database.kysely
        .selectFrom(name as 'user')
        .selectAll()
        .execute()
      const text = JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
      expect(text.includes(token), name).toBe(false)
    }
  })
})
