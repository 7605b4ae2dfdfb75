import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

describe('one’s own account', () => {
  let bench: ManagementBench
  let ann: TestCaller
  beforeAll(async () => {
    bench = await openManagementBench()
    ann = await bench.addCaller('ann', 1)
    await bench.addCaller('bob', 1)
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const put = (body: object) => bench.ask('PUT', '/api/user/self', { as: ann, body })
  const self = async () => (await bench.ask('GET', '/api/user/self', { as: ann })).data

  it('is shown without anything secret', async () => {
    expect(await self()).toEqual({
      id: ann.id,
      username: 'ann',
      display_name: 'ann',
      email: '',
      role: 1,
      status: 1,
      group: 'default',
      quota: 0,
      quota_exact: '0',
      used_quota: 0,
      used_quota_exact: '0',
      request_count: 0,
      budgets: [],
      created_time: Math.floor(bench.clock.now / 1_000),
      github_id: '',
      lark_id: '',
      oidc_id: '',
      wechat_id: '',
      aff_code: '',
      inviter_id: 0,
    })
  })

  it('shows the invitation: its own code, once there is one, and the user who invited it', async () => {
    const guest = await bench.addCaller('guest', 1)
    await bench.database.kysely.updateTable('user').set({ inviter_id: ann.id }).where('id', '=', guest.id).execute()
    const own = () => bench.ask('GET', '/api/user/self', { as: guest })
    expect(await own()).toMatchObject({ data: { aff_code: '', inviter_id: ann.id } })
    const { data: code } = await bench.ask<string>('GET', '/api/user/aff', { as: guest })
    expect(code).toMatch(/^[\w-]{8}$/)
    expect(await own()).toMatchObject({ data: { aff_code: code, inviter_id: ann.id } })
  })

  it('changes name, display name and email; blank name and password stay', async () => {
    const body = { username: '', display_name: 'Ann B.', email: 'ann@example.org', password: '' }
    expect(await put(body)).toMatchObject({ success: true })
    expect(await self()).toMatchObject({ username: 'ann', display_name: 'Ann B.', email: 'ann@example.org' })
    expect(await put({ username: 'anna', display_name: '' })).toMatchObject({ success: true })
    expect(await self()).toMatchObject({ username: 'anna', display_name: '', email: 'ann@example.org' })
    expect(await put({ username: 'bob' })).toMatchObject({ success: false, code: 'name_taken' })
    expect(await put({ password: 'short' })).toMatchObject({
      message: 'password: Password must be at least 8 characters.',
    })
  })

  it('keeps its email while changes need a verification code', async () => {
    const root = await bench.addCaller('root', 100)
    await bench.ask('PUT', '/api/option/', { as: root, body: { key: 'EmailVerificationEnabled', value: true } })
    expect(await put({ email: 'ann@example.org', display_name: 'same address' })).toMatchObject({ success: true })
    expect(await put({ email: 'new@example.org' })).toMatchObject({ success: false, code: 'invalid_body' })
  })
})
