import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

describe('users under attack', () => {
  let bench: ManagementBench
  let root: TestCaller
  let admin: TestCaller
  let peer: TestCaller
  let user: TestCaller
  beforeAll(async () => {
    bench = await openManagementBench()
    root = await bench.addCaller('root', 100)
    admin = await bench.addCaller('admin', 10)
    peer = await bench.addCaller('peer', 10)
    user = await bench.addCaller('user', 1)
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const row = (id: number) =>
    bench.database.kysely.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  it('no one raises their own role through their own account', { tags: 'S10' }, async () => {
    const before = await row(user.id)
    const body = {
      id: root.id,
      role: 100,
      status: 1,
      quota: 1e12,
      used_quota: 0,
      group: 'vip',
      group_name: 'vip',
      access_token: 'x',
      password_hash: 'x',
      aff_code: 'x',
      created_time: 0,
      display_name: 'Me',
    }
    expect(await bench.ask('PUT', '/api/user/self', { as: user, body })).toMatchObject({ success: true })
    expect(await row(user.id)).toEqual({ ...before, display_name: 'Me' })
    expect(await row(root.id)).toMatchObject({ display_name: 'root' })
    expect(await bench.ask('GET', '/api/user/self', { as: user })).toMatchObject({ data: { quota: 0, role: 1 } })
  })

  it('a created user is an ordinary one, whatever the body says', { tags: 'S10' }, async () => {
    const body = { username: 'fresh', password: 'password-1', role: 100, status: 2, id: 1, created_time: 5 }
    await bench.ask('POST', '/api/user/', { as: admin, body })
    const fresh = await bench.database.kysely
      .selectFrom('user')
      .selectAll()
      .where('username', '=', 'fresh')
      .executeTakeFirstOrThrow()
    expect(fresh).toMatchObject({ role: 1, status: 1 })
    expect(fresh.created_time).not.toBe(5)
  })

  it(
    'an administrator reaches no one of the same or a higher role, and gives no role as high',
    { tags: 'S10' },
    async () => {
      for (const target of [root, peer]) {
        const before = await row(target.id)
        const tries = [
          bench.ask('PUT', '/api/user/', { as: admin, body: { id: target.id, password: 'taken-over' } }),
          bench.ask('PUT', '/api/user/', { as: admin, body: { id: target.id, quota: 5, role: 1 } }),
          bench.ask('PUT', '/api/user/?status_only=1', { as: admin, body: { id: target.id, status: 2 } }),
          bench.ask('DELETE', `/api/user/${target.id}`, { as: admin }),
          bench.ask('GET', `/api/user/${target.id}`, { as: admin }),
          bench.ask('POST', '/api/topup', { as: admin, body: { user_id: target.id, quota: 5 } }),
        ]
        for (const reply of await Promise.all(tries)) expect(reply).toMatchObject({ success: false, code: 'refused' })
        expect(await row(target.id)).toEqual(before)
      }
      for (const role of [10, 100]) {
        const raised = await bench.ask('PUT', '/api/user/', { as: admin, body: { id: user.id, role } })
        expect(raised).toMatchObject({ success: false, code: 'refused' })
      }
      expect(await row(user.id)).toMatchObject({ role: 1 })
    },
  )

  it('no one tops up or re-ranks themselves, and root cannot lock itself out', { tags: 'S10' }, async () => {
    const refused = [
      await bench.ask('POST', '/api/topup', { as: admin, body: { user_id: admin.id, quota: 5 } }),
      await bench.ask('PUT', '/api/user/', { as: admin, body: { id: admin.id, quota: 5 } }),
      await bench.ask('PUT', '/api/user/', { as: root, body: { id: root.id, role: 1 } }),
      await bench.ask('PUT', '/api/user/?status_only=1', { as: root, body: { id: root.id, status: 2 } }),
      await bench.ask('DELETE', `/api/user/${root.id}`, { as: root }),
    ]
    for (const reply of refused) expect(reply).toMatchObject({ success: false, code: 'refused' })
    expect(await bench.ask('GET', `/api/user/${admin.id}`, { as: admin })).toMatchObject({ success: true })
    expect(
      await bench.ask('PUT', '/api/user/', { as: root, body: { id: root.id, role: 100, display_name: 'R' } }),
    ).toMatchObject({ success: true })
    expect((await bench.ask('GET', '/api/user/self', { as: root })).status).toBe(200)
  })

  it('sort, order and search are never parts of a statement', { tags: ['S6', 'S7'] }, async () => {
    const hostile = [
      'id;drop table user',
      '(select 1)',
      'user.password_hash',
      '__proto__',
      'constructor',
      "id' or 1=1 --",
    ]
    for (const text of hostile) {
      const sorted = await bench.ask('GET', `/api/user/?sort=${encodeURIComponent(text)}`, { as: admin })
      expect([text, sorted.success]).toEqual([text, true])
      const found = await bench.ask('GET', `/api/user/search?keyword=${encodeURIComponent(text)}`, { as: admin })
      expect([text, found.data]).toEqual([text, []])
    }
    expect(await bench.ask('GET', '/api/user/?order=desc;--', { as: admin })).toMatchObject({ code: 'invalid_body' })
    expect(await bench.ask('GET', '/api/user/search?keyword=%25', { as: admin })).toMatchObject({ data: [] })
    const long = await bench.ask('GET', `/api/user/search?keyword=${'%25'.repeat(101)}`, { as: admin })
    expect(long).toMatchObject({ success: false, code: 'invalid_body' })
  })

  it('no call of the API returns a password hash', { tags: 'S20' }, async () => {
    await bench.ask('PUT', '/api/user/self', { as: user, body: { password: 'new-password' } })
    const { password_hash: hash } = await row(user.id)
    expect(hash).toContain('argon2id')
    for (const path of [
      '/api/user/',
      `/api/user/${user.id}`,
      '/api/user/search?keyword=user',
      '/api/user/dashboard/users',
    ]) {
      expect(JSON.stringify(await bench.ask('GET', path, { as: admin }))).not.toContain('argon2id')
    }
  })

  it('quota at the end of the range is accepted, beyond it refused, and nothing breaks', { tags: 'S24' }, async () => {
    const most = 1_000_000_000_000_000
    const topUp = (quota: number) => bench.ask('POST', '/api/topup', { as: admin, body: { user_id: user.id, quota } })
    expect(await topUp(most + 1)).toMatchObject({ code: 'invalid_body' })
    expect(await topUp(Number.MAX_SAFE_INTEGER)).toMatchObject({ code: 'invalid_body' })
    expect(await topUp(1e300)).toMatchObject({ code: 'invalid_body' })
    const answers = []
    for (let i = 0; i < 12; i++) answers.push((await topUp(most)).success)
    expect(answers[0]).toBe(true)
    expect(answers.at(-1)).toBe(false)
    const self = await bench.ask<{ quota: number }>('GET', `/api/user/${user.id}`, { as: admin })
    expect(self.data?.quota).toBe(answers.filter(Boolean).length * most)
  })
})
