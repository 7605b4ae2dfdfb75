// @module-tag slow
import { createHash } from 'node:crypto'
import { ROLE } from '@sluice/contract/capability'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

describe('an access token', () => {
  let bench: ManagementBench
  let ann: TestCaller
  let token = ''
  beforeEach(async () => {
    bench = await openManagementBench()
    ann = await bench.addCaller('ann', ROLE.admin)
    token = await renew(ann)
  })
  afterEach(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const renew = async (as: TestCaller) => (await bench.ask<string>('GET', '/api/user/token', { as })).data ?? ''
  const self = (authorization: string, headers: Record<string, string> = {}) =>
    bench.ask<{ username: string }>('GET', '/api/user/self', { headers: { authorization, ...headers } })

  it('opens the API with or without Bearer, with all the rights of its user', async () => {
    expect(token).toMatch(/^[0-9a-f]{32}$/)
    for (const header of [token, `Bearer ${token}`, `bearer ${token}`]) {
      expect(await self(header)).toMatchObject({ status: 200, data: { username: 'ann' } })
    }
    const users = await bench.ask('GET', '/api/user/', { headers: { authorization: token } })
    expect(users.status).toBe(200)
    const options = await bench.ask('GET', '/api/option/update', { headers: { authorization: token } })
    expect(options).toMatchObject({ status: 403, code: 'insufficient_permissions' })
  })

  it('lets a program send its JSON under any content type, which a cookie does not', { tags: 'S34' }, async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = { display_name: 'Ann by curl' }
    const byToken = await bench.ask('PUT', '/api/user/self', { headers: { ...headers, authorization: token }, body })
    expect(byToken).toMatchObject({ status: 200, success: true })
    for (const authorization of [token, `Bearer ${token}`]) {
      const both = await bench.ask('PUT', '/api/user/self', { as: ann, headers: { ...headers, authorization }, body })
      expect(both).toMatchObject({ status: 415, code: 'unsupported_content_type' })
    }
  })

  it('is replaced by the next one, even when it requests that itself', async () => {
    const { data: next = '' } = await bench.ask<string>('GET', '/api/user/token', { headers: { authorization: token } })
    expect((await self(token)).status).toBe(401)
    expect((await self(next)).status).toBe(200)
  })

  it('gives way to a session', async () => {
    const bob = await bench.addCaller('bob', ROLE.user)
    expect(await self(token, { cookie: bob.cookie })).toMatchObject({ data: { username: 'bob' } })
    expect(await self('nonsense', { cookie: bob.cookie })).toMatchObject({ data: { username: 'bob' } })
    expect(await self(token, { cookie: `session=${'A'.repeat(43)}` })).toMatchObject({ data: { username: 'ann' } })
  })

  it('is refused alike whether it never existed, was replaced, or is nonsense', { tags: ['S31', 'S6'] }, async () => {
    const old = token
    token = await renew(ann)
    const wrong = [
      '0'.repeat(32),
      old,
      'Bearer',
      'Bearer ',
      `' or '1'='1`,
      '%00',
      token.slice(0, 31),
      'x'.repeat(5_000),
    ]
    for (const header of wrong) {
      expect(await self(header)).toMatchObject({
        status: 401,
        success: false,
        code: 'access_token_invalid',
        message: 'No permission to perform this operation, access token is invalid',
      })
    }
  })

  it('is stored as a digest that opens nothing', { tags: 'S9' }, async () => {
    const hash = createHash('sha256').update(token).digest('hex')
    const row = await bench.database.kysely
      .selectFrom('user')
      .select('access_token_hash')
      .where('id', '=', ann.id)
      .executeTakeFirstOrThrow()
    expect(row.access_token_hash).toBe(hash)
    expect((await self(hash)).status).toBe(401)
  })

  it('follows its user: role at once, ban, deletion, new password', async () => {
    const change = (values: { role?: number; status?: number }) =>
      bench.database.kysely.updateTable('user').set(values).where('id', '=', ann.id).execute()
    await change({ role: 1 })
    const users = await bench.ask('GET', '/api/user/', { headers: { authorization: token } })
    expect(users.status).toBe(403)
    await change({ status: 2 })
    expect(await self(token)).toMatchObject({ status: 403, code: 'user_banned' })
    await change({ status: 1 })
    const put = { headers: { authorization: token }, body: { password: 'a new password' } }
    const changed = await bench.ask('PUT', '/api/user/self', put)
    expect(changed).toMatchObject({ success: true })
    // A caller with a token gets no session.
    expect(changed.headers.getSetCookie()).toEqual([])
    expect((await self(token)).status).toBe(401)
  })

  it('needs no same-site check, while a session on the same call does', { tags: 'S34' }, async () => {
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://tool.example' }
    const put = (headers: Record<string, string>) =>
      bench.ask('PUT', '/api/user/self', { headers: { ...headers, ...foreign }, body: { display_name: 'x' } })
    expect(await put({ authorization: token })).toMatchObject({ status: 200, success: true })
    const refused = { status: 400, code: 'cross_site' }
    expect(await put({ cookie: ann.cookie })).toMatchObject(refused)
    expect(await put({ cookie: ann.cookie, authorization: token })).toMatchObject(refused)
    expect(await put({ cookie: ann.cookie, authorization: 'nonsense' })).toMatchObject(refused)
    expect(await bench.ask('GET', '/api/user/token', { as: ann, headers: foreign })).toMatchObject(refused)
    const login = { headers: { ...foreign, authorization: token }, body: { username: 'ann', password: 'x' } }
    expect(await bench.ask('POST', '/api/user/login', login)).toMatchObject(refused)
  })

  it(
    'is in no answer but the one that created it, and a relay token does not work as one',
    { tags: ['S20', 'S19'] },
    async () => {
      const seen = JSON.stringify([await bench.ask('GET', '/api/user/self', { as: ann }), await self(token)])
      expect(seen).not.toContain(token)
      const made = await bench.ask<{ key: string }>('POST', '/api/token/', {
        as: ann,
        body: { name: 't', remain_quota: 1, expired_time: -1, unlimited_quota: false, models: '', subnet: '' },
      })
      for (const header of [made.data?.key ?? '', `Bearer ${made.data?.key ?? ''}`]) {
        expect(await self(header)).toMatchObject({ status: 401, code: 'access_token_invalid' })
      }
    },
  )
})
