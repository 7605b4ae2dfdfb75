import type { Redemption } from '@sluice/contract/redemption'
import { databaseEngines } from '@sluice/testkit/databases'
import { brokenInvariants, openTestLedgerEngine, readRowsOf } from '@sluice/testkit/ledger-engine'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** The calls about users, money and settings, run on every engine; the tests next to each area cover its rules. */
describe.each(databaseEngines)('users, money and settings on %s', (engine) => {
  let bench: ManagementBench
  let root: TestCaller
  let ann: TestCaller
  beforeAll(async () => {
    bench = await openManagementBench(engine)
    root = await bench.addCaller('root', 100)
    ann = await bench.addCaller('ann', 1)
  })
  afterAll(async () => {
    expect(await brokenInvariants(readRowsOf(bench.database), bench.clock.now)).toEqual([])
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const as = () => ({ as: root })
  const quotaOf = async (caller: TestCaller) =>
    (await bench.ask<{ quota: number }>('GET', '/api/user/self', { as: caller })).data?.quota

  it('pays a code once, however many redeem it at the same moment', { tags: 'S23' }, async () => {
    const made = { name: 'gift', quota: 1_000_000, count: 2 }
    const { data: [code = '', other = ''] = [] } = await bench.ask<string[]>('POST', '/api/redemption/', {
      ...as(),
      body: made,
    })
    const users = await Promise.all(Array.from({ length: 20 }, (_, i) => bench.addCaller(`user${i}`, 1)))
    const replies = await Promise.all(
      users.map((user) => bench.ask('POST', '/api/user/topup', { as: user, body: { key: code } })),
    )
    expect(replies.filter(({ success }) => success)).toHaveLength(1)
    expect(await bench.ask('POST', '/api/user/topup', { as: ann, body: { key: other } })).toMatchObject({
      data: 1_000_000,
    })
    const list = await bench.ask<Redemption[]>('GET', '/api/redemption/search?keyword=gi&sort=redeemed_time', as())
    expect(list).toMatchObject({ total: 2, data: [{ status: 3, redeemed_by_name: 'ann' }, { status: 3 }] })
    const id = list.data?.[0]?.id ?? 0
    const again = { id, status: 1 }
    expect(await bench.ask('PUT', '/api/redemption/?status_only=1', { ...as(), body: again })).toMatchObject({
      code: 'refused',
    })
    expect(await bench.ask('DELETE', `/api/redemption/${id}`, as())).toMatchObject({ success: true })
  })

  it('reserves, charges, releases and expires quota for other programs', { tags: 'S23' }, async () => {
    const body = { name: 'jobs', remain_quota: 500 }
    const key = (await bench.ask<{ key: string }>('POST', '/api/token/', { as: ann, body })).data?.key ?? ''
    const headers = { authorization: `Bearer ${key}` }
    const consume = (step: object) => bench.ask('POST', '/api/token/consume', { headers, body: step })
    const replies = await Promise.all(Array.from({ length: 20 }, () => consume({ phase: 'pre', add_used_quota: 100 })))
    expect(replies.filter(({ success }) => success)).toHaveLength(5)
    bench.clock.now += 600_000
    expect(await bench.ask('GET', '/api/token/balance', { headers })).toMatchObject({
      data: { remain_quota: 0, used_quota: 500 },
    })
    expect(await quotaOf(ann)).toBe(999_500)
    const token = { id: 1, name: 'jobs', remain_quota: 300 }
    await bench.ask('PUT', '/api/token/', { as: ann, body: token })
    await consume({ phase: 'pre', add_used_quota: 100, transaction_id: 'a' })
    expect(await consume({ phase: 'pre', add_used_quota: 100, transaction_id: 'a' })).toMatchObject({ success: false })
    expect(await consume({ phase: 'post', transaction_id: 'a', final_used_quota: 30 })).toMatchObject({ success: true })
    await consume({ phase: 'pre', add_used_quota: 100, transaction_id: 'b' })
    expect(await consume({ phase: 'cancel', transaction_id: 'b' })).toMatchObject({ transaction: { status: 4 } })
    expect(await consume({ add_used_quota: 5 })).toMatchObject({ data: { remain_quota: 265 } })
    expect(await bench.ask('GET', '/api/token/transactions?size=3', { headers })).toMatchObject({
      total: 8,
      data: [{ final_quota: 5 }, { final_quota: 0 }, { final_quota: 30 }],
    })
    expect(await bench.ask('GET', '/api/token/logs', { headers })).toMatchObject({ total: 7 })
    const billing = await bench.fetch(new Request('http://localhost:3000/dashboard/billing/subscription', { headers }))
    expect(await billing.json()).toMatchObject({ object: 'billing_subscription' })
  })

  it('charges as reserved when the process dies, and a cancellation that came first gives it back', async () => {
    const bob = await bench.addCaller('bob', 1)
    await bench.ask('POST', '/api/topup', { ...as(), body: { user_id: bob.id, quota: 100 } })
    const body = { name: 'jobs', unlimited_quota: true }
    const key = (await bench.ask<{ key: string }>('POST', '/api/token/', { as: bob, body })).data?.key ?? ''
    const headers = { authorization: `Bearer ${key}` }
    const consume = (step: object) => bench.ask('POST', '/api/token/consume', { headers, body: step })
    await consume({ phase: 'pre', add_used_quota: 40, transaction_id: 'kept' })
    await consume({ phase: 'pre', add_used_quota: 50, transaction_id: 'lost' })
    // The same as recovery does with the holds of a dead process.

    const engine = await openTestLedgerEngine(bench.database)
    await engine.recover({ deadAfterMs: 3_600_000, dead: ['test'] })
    await engine.close()
    expect(await quotaOf(bob)).toBe(10)
    expect(await consume({ phase: 'cancel', transaction_id: 'lost' })).toMatchObject({ transaction: { status: 4 } })
    expect(await consume({ phase: 'post', transaction_id: 'kept', final_used_quota: 45 })).toMatchObject({
      transaction: { status: 2, final_quota: 45 },
    })
    expect(await quotaOf(bob)).toBe(55)
  })

  it('stores several settings at once, and keeps groups that are in use', async () => {
    const put = (body: unknown) => bench.ask('PUT', '/api/option/', { ...as(), body })
    for (let i = 0; i < 2; i++) {
      const both = [
        { key: 'SystemName', value: `name ${i}` },
        { key: 'RetryTimes', value: i },
      ]
      expect(await put(both)).toMatchObject({ success: true })
    }
    expect(bench.deps.options()).toMatchObject({ SystemName: 'name 1', RetryTimes: 1 })
    expect(await put({ key: 'GroupRatio', value: '{"vip":1}' })).toMatchObject({ success: false })
  })

  it('lists the tokens of all users, prices and the state of channels', async () => {
    const channel = { name: 'c', type: 1, key: 'k', models: 'gpt-4o', group: 'default' }
    await bench.ask('POST', '/api/channel/', { ...as(), body: channel })
    expect(await bench.ask('GET', '/api/admin/tokens/?status=1&sort=remain_quota', as())).toMatchObject({
      success: true,
    })
    expect(await bench.ask('GET', '/api/admin/tokens/search?keyword=jo', as())).toMatchObject({ total: 2 })
    expect(await bench.ask('GET', '/api/models/display')).toMatchObject({ data: { 'OpenAI:c': { channel_type: 1 } } })
    expect(await bench.ask('GET', '/api/status/channel')).toMatchObject({ total: 1, data: [{ status: 'enabled' }] })
  })

  it('deletes a user with keys and sessions', async () => {
    expect(await bench.ask('DELETE', `/api/user/${ann.id}`, as())).toMatchObject({ success: true })
    expect((await bench.ask('GET', '/api/user/self', { as: ann })).status).toBe(401)
    expect(await bench.ask('GET', `/api/admin/tokens/?user_id=${ann.id}`, as())).toMatchObject({ total: 0 })
  })
})
