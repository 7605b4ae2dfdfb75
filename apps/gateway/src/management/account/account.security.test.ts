// @module-tag slow
import { ROLE } from '@sluice/contract/capability'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

describe('one’s own account under attack', () => {
  let bench: ManagementBench
  let root: TestCaller
  let ann: TestCaller
  beforeEach(async () => {
    bench = await openManagementBench()
    root = await bench.addCaller('root', ROLE.root)
    ann = await bench.addCaller('ann', ROLE.user)
  })
  afterEach(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const rowOf = (username: string) =>
    bench.database.kysely.selectFrom('user').selectAll().where('username', '=', username).executeTakeFirst()
  const selfOf = (as: TestCaller | string) => bench.ask('GET', '/api/user/self', { as })
  const register = (body: object, address = '198.51.100.1') =>
    bench.ask('POST', '/api/user/register', { headers: { 'x-test-address': address }, body })

  it('signing up and changing oneself set nothing but what is offered', { tags: 'S10' }, async () => {
    const more = {
      id: 77,
      role: 100,
      status: 2,
      quota: 1_000_000,
      used_quota: 5,
      group: 'vip',
      group_name: 'vip',
      inviter_id: root.id,
      aff_code: 'x',
      password_hash: 'x',
      access_token: 'x',
      totp_sealed: 'x',
    }
    expect(await register({ username: 'eve', password: 'a good password', ...more, aff_code: 'none' })).toMatchObject({
      success: true,
    })
    const ordinary = { role: 1, status: 1, group_name: 'default', inviter_id: 0, aff_code: null, totp_sealed: null }
    expect(await rowOf('eve')).toMatchObject(ordinary)
    expect(await bench.ask('PUT', '/api/user/self', { as: ann, body: { display_name: 'A', ...more } })).toMatchObject({
      success: true,
    })
    expect(await rowOf('ann')).toMatchObject({ ...ordinary, id: ann.id, display_name: 'A', password_hash: '' })
    expect(await selfOf(ann)).toMatchObject({ data: { quota: 0, used_quota: 0, group: 'default' } })
  })

  it(
    'no one takes a name that stands in the way of another user’s address, or that looks like another',
    { tags: 'S34' },
    async () => {
      const rename = (username: string) => bench.ask('PUT', '/api/user/self', { as: ann, body: { username } })
      expect(await rename('root@example.org')).toMatchObject({ success: false, code: 'invalid_body' })
      for (const name of ['root\u200b', 'ro\u202eot', 'root\nroot']) {
        expect(await rename(name)).toMatchObject({ success: false, code: 'invalid_body' })
        expect(await register({ username: name, password: 'a good password' })).toMatchObject({ success: false })
      }
      // A user with such a name, from an administrator or another system, may keep it.
      await bench.database.kysely
        .updateTable('user')
        .set({ username: 'ann@example.org' })
        .where('id', '=', ann.id)
        .execute()
      expect(await rename('ann@example.org')).toMatchObject({ success: true })
    },
  )

  it('one network opens at most twenty accounts in twenty minutes', { tags: 'S28' }, async () => {
    const statuses = []
    for (let i = 0; i < 22; i++) {
      // A form refused for its content also costs a try.
      statuses.push((await register({ username: i < 2 ? `user${i}` : 'root', password: 'a good password' })).status)
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
    expect((await register({ username: 'more', password: 'a good password' }, '198.51.100.2')).success).toBe(true)
  })

  it('no one takes the address of another account, or can find out that it exists', { tags: 'S31' }, async () => {
    await bench.database.kysely.updateTable('user').set({ email: 'r@example.org' }).where('id', '=', root.id).execute()
    const put = (email: string) => bench.ask('PUT', '/api/user/self', { as: ann, body: { email } })
    expect(await put('R@example.org')).toMatchObject({ status: 200, success: false, code: 'email_taken' })
    const statuses = []
    for (let i = 0; i < 22; i++) statuses.push((await put(`guess${i}@example.org`)).status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(3)
  })

  it('an address of a domain that is not accepted stays out, whichever way it arrives', async () => {
    const set = (key: string, value: string) => bench.ask('PUT', '/api/option/', { as: root, body: { key, value } })
    await set('EmailDomainWhitelist', 'example.org')
    await set('EmailDomainRestrictionEnabled', 'true')
    const put = (email: string) => bench.ask('PUT', '/api/user/self', { as: ann, body: { email } })
    expect(await put('ann@evil.example')).toMatchObject({ success: false, code: 'email_domain_not_allowed' })
    expect(await put('ann@example.org')).toMatchObject({ success: true })
  })

  it('deletes itself: name and address are free, session, tokens and access token no longer work, the ledger stays', async () => {
    await bench.database.kysely.updateTable('user').set({ email: 'a@example.org' }).where('id', '=', ann.id).execute()
    const { data: accessToken = '' } = await bench.ask<string>('GET', '/api/user/token', { as: ann })
    const body = { name: 't', remain_quota: 1, expired_time: -1, unlimited_quota: false, models: '', subnet: '' }
    await bench.ask('POST', '/api/token/', { as: ann, body })
    const gone = await bench.ask('DELETE', '/api/user/self', { as: ann })
    expect(gone).toMatchObject({ success: true })
    expect(gone.headers.getSetCookie()[0]).toMatch(/^session=; Max-Age=0/)
    expect((await selfOf(ann)).status).toBe(401)
    expect((await bench.ask('GET', '/api/user/self', { headers: { authorization: accessToken } })).status).toBe(401)
    expect(await rowOf('ann')).toBeUndefined()
    expect(await rowOf(`deleted_${ann.id}`)).toMatchObject({ status: 3, email: '', password_hash: '' })
    const log = await bench.database.kysely.selectFrom('log').select('content').where('user_id', '=', ann.id).execute()
    expect(log).toEqual([{ content: 'User ann deleted their own account' }])
    expect(await register({ username: 'ann', password: 'a good password' })).toMatchObject({ success: true })
    const next = await rowOf('ann')
    expect(next?.id).not.toBe(ann.id)
  })

  it('root cannot be deleted, not even by root', async () => {
    expect(await bench.ask('DELETE', '/api/user/self', { as: root })).toMatchObject({
      status: 200,
      success: false,
      message: 'The root account cannot be deleted.',
    })
    expect((await selfOf(root)).status).toBe(200)
  })

  it('no other site deletes a user or takes their access token', { tags: 'S34' }, async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    for (const [method, path] of [
      ['DELETE', '/api/user/self'],
      ['GET', '/api/user/token'],
      ['GET', '/api/oauth/email/bind?email=a@b.org&code=AAAAAA'],
      ['GET', '/api/user/totp/setup'],
      ['GET', '/api/reset_password?email=a@b.org'],
    ] as const) {
      expect([path, (await bench.ask(method, path, { as: ann, headers })).code]).toEqual([path, 'cross_site'])
    }
    expect((await selfOf(ann)).status).toBe(200)
  })
})
