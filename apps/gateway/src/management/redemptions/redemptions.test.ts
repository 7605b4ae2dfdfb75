import type { Redemption } from '@sluice/contract/redemption'
import { brokenInvariants, readRowsOf } from '@sluice/testkit/ledger-engine'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

describe('redemption codes', () => {
  let bench: ManagementBench
  let admin: TestCaller
  beforeAll(async () => {
    bench = await openManagementBench()
    admin = await bench.addCaller('admin', 10)
  })
  afterAll(async () => {
    expect(await brokenInvariants(readRowsOf(bench.database), bench.clock.now)).toEqual([])
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const create = (body: object) => bench.ask<string[]>('POST', '/api/redemption/', { as: admin, body })
  const made = async (name: string, quota = 500, count = 1): Promise<Redemption[]> => {
    await create({ name, quota, count })
    const { data = [] } = await bench.ask<Redemption[]>('GET', `/api/redemption/search?keyword=${name}&size=100`, {
      as: admin,
    })
    return data
  }
  const one = async (name: string, quota?: number): Promise<Redemption> => {
    const [code] = await made(name, quota)
    if (code === undefined) throw new Error('no code was made')
    return code
  }
  const get = (id: number) => bench.ask<Redemption>('GET', `/api/redemption/${id}`, { as: admin })
  const put = (body: object) => bench.ask<Redemption>('PUT', '/api/redemption/', { as: admin, body })
  const setStatus = (id: number, status: number) =>
    bench.ask<Redemption>('PUT', '/api/redemption/?status_only=true', { as: admin, body: { id, status } })
  const redeem = (as: TestCaller, key: string) => bench.ask<number>('POST', '/api/user/topup', { as, body: { key } })
  const quotaOf = async (as: TestCaller) =>
    (await bench.ask<{ quota: number }>('GET', '/api/user/self', { as })).data?.quota

  it('are made many at once, each with a code of its own, and shown in the list', async () => {
    const { data: codes = [] } = await create({ name: 'spring', quota: 500, count: 3 })
    expect(new Set(codes).size).toBe(3)
    for (const code of codes) expect(code).toMatch(/^[0-9a-f]{32}$/)
    const list = await bench.ask<Redemption[]>('GET', '/api/redemption/?p=0&size=2', { as: admin })
    expect(list.total).toBe(3)
    expect(list.data?.map(({ key }) => key)).toEqual([codes[2], codes[1]])
    expect(list.data?.[0]).toMatchObject({
      name: 'spring',
      status: 1,
      quota: 500,
      user_id: admin.id,
      created_time: Math.floor(bench.clock.now / 1_000),
      redeemed_time: 0,
      redeemed_by: 0,
      redeemed_by_name: '',
    })
  })

  it('are refused with what their form refuses', async () => {
    const cases: readonly (readonly [object, string])[] = [
      [{ name: '', quota: 1 }, 'name: Name is required.'],
      [{ name: 'x'.repeat(21), quota: 1 }, 'name: Max 20 chars.'],
      [{ name: 'a', quota: -1 }, 'quota: Quota cannot be negative.'],
      [{ name: 'a', quota: 0.5 }, 'quota: Quota must be a whole number.'],
      [{ name: 'a', quota: 1, count: 0 }, 'count: Count must be positive.'],
      [{ name: 'a', quota: 1, count: 101 }, 'count: Count cannot exceed 100.'],
    ]
    for (const [body, message] of cases)
      expect(await create(body)).toMatchObject({ success: false, code: 'invalid_body', message })
  })

  it('can expire, and are then refused by a code of their own', async () => {
    const user = await bench.addCaller('late', 1)
    const now = Math.floor(bench.clock.now / 1_000)
    expect(await create({ name: 'past', quota: 1, expired_time: now })).toMatchObject({
      success: false,
      code: 'invalid_body',
      message: 'expired_time: must be in the future.',
    })
    const { data: codes = [] } = await create({ name: 'brief', quota: 7, count: 2, expired_time: now + 60 })
    const [code] = await made('brief', 7)
    expect(code).toMatchObject({ status: 1, expired_time: 0 })
    const { data: list = [] } = await bench.ask<Redemption[]>(
      'GET',
      '/api/redemption/search?keyword=brief&sort=expired_time&order=desc',
      {
        as: admin,
      },
    )
    expect(list.map(({ expired_time: at }) => at)).toEqual([now + 60, now + 60, 0])
    expect(await redeem(user, codes[0] ?? '')).toMatchObject({ success: true, data: 7 })
    bench.clock.now += 60_000
    expect(await redeem(user, codes[1] ?? '')).toMatchObject({ success: false, code: 'redemption_code_expired' })
    const { id = 0 } = list.find(({ key }) => key === codes[1]) ?? {}
    expect(await put({ id, name: 'brief', quota: 8 })).toMatchObject({ data: { expired_time: now + 60, quota: 8 } })
    expect(await put({ id, name: 'brief', quota: 8, expired_time: 0 })).toMatchObject({ data: { expired_time: 0 } })
    expect(await redeem(user, codes[1] ?? '')).toMatchObject({ success: true, data: 8 })
    for (const [expiry, why] of [
      [-1, 'Expiration must be a unix time in seconds, or 0 for never'],
      [1.5, 'Expiration must be a whole number of seconds'],
      [253_402_300_800, 'Expiration must be before the year 10000'],
    ]) {
      expect(await put({ id, name: 'brief', quota: 8, expired_time: expiry })).toMatchObject({
        message: `expired_time: ${why}.`,
      })
    }
  })

  it('are shown as used when they were used at another gateway', async () => {
    const user = await bench.addCaller('earlier', 1)
    const { key, id } = await one('brought')
    const used = { status: 3, used_before: 1, redeemed_by: user.id, redeemed_ms: 1_000 }
    await bench.database.kysely.updateTable('redemption').set(used).where('id', '=', id).execute()
    expect(await get(id)).toMatchObject({ data: { status: 3, redeemed_by_name: 'earlier', redeemed_time: 1 } })
    expect(await redeem(user, key)).toMatchObject({ success: false, message: 'The redemption code has been used.' })
    expect(await setStatus(id, 1)).toMatchObject({ success: false })
  })

  it('are sorted, searched by id or the start of their name, and counted', async () => {
    await made('sorted-a', 1)
    await made('sorted-b', 9)
    const names = async (query: string) =>
      (await bench.ask<Redemption[]>('GET', `/api/redemption/search?keyword=sorted&${query}`, { as: admin })).data?.map(
        ({ name }) => name,
      )
    for (const sort of ['id', 'name', 'quota', 'created_time']) {
      expect([sort, await names(`sort=${sort}&order=desc`)]).toEqual([sort, ['sorted-b', 'sorted-a']])
    }
    for (const sort of ['status', 'redeemed_time', 'key_hash']) expect(await names(`sort=${sort}`)).toHaveLength(2)
    const { id } = await one('by-id')
    const found = await bench.ask<Redemption[]>('GET', `/api/redemption/search?keyword=${id}`, { as: admin })
    expect(found).toMatchObject({ total: 1, data: [{ name: 'by-id' }] })
  })

  it('pay once, record who redeemed them and when, and are receipts from then on', async () => {
    const ann = await bench.addCaller('ann', 1)
    const code = await one('gift', 750)
    expect(await redeem(ann, code.key)).toMatchObject({ success: true, data: 750 })
    expect(await quotaOf(ann)).toBe(750)
    expect((await get(code.id)).data).toMatchObject({
      status: 3,
      redeemed_by: ann.id,
      redeemed_by_name: 'ann',
      redeemed_time: Math.floor(bench.clock.now / 1_000),
    })
    const logs = await bench.database.kysely.selectFrom('log').selectAll().where('user_id', '=', ann.id).execute()
    expect(logs).toMatchObject([
      { type: 1, username: 'ann', amount: 750_000n, content: `Redeemed the code "gift" (id ${code.id})` },
    ])
    const used = { success: false, message: expect.stringContaining('has been used') }
    expect(await redeem(ann, code.key)).toMatchObject(used)
    expect(await setStatus(code.id, 1)).toMatchObject(used)
    expect(await setStatus(code.id, 2)).toMatchObject(used)
    expect(await put({ id: code.id, name: 'more', quota: 9_999 })).toMatchObject(used)
    expect((await get(code.id)).data).toMatchObject({ status: 3, name: 'gift', quota: 750 })
    expect(await bench.ask('DELETE', `/api/redemption/${code.id}`, { as: admin })).toMatchObject({ success: true })
    expect(await get(code.id)).toMatchObject({ code: 'not_found', message: 'Redemption code not found.' })
    expect(await quotaOf(ann)).toBe(750)
  })

  it('pay the value they have when they are redeemed, and nothing while they are disabled or gone', async () => {
    const bob = await bench.addCaller('bob', 1)
    const code = await one('edited', 5)
    expect((await put({ id: code.id, name: 'new name', quota: 8 })).data).toMatchObject({ name: 'new name', quota: 8 })
    expect((await setStatus(code.id, 2)).data).toMatchObject({ status: 2 })
    expect(await redeem(bob, code.key)).toMatchObject({ message: 'The redemption code is disabled.' })
    expect((await setStatus(code.id, 1)).data).toMatchObject({ status: 1 })
    expect(await redeem(bob, code.key.toUpperCase())).toMatchObject({ message: 'The redemption code is not valid.' })
    expect(await redeem(bob, ` ${code.key} `)).toMatchObject({ data: 8 })
    const gone = await one('gone')
    await bench.ask('DELETE', `/api/redemption/${gone.id}`, { as: admin })
    expect(await redeem(bob, gone.key)).toMatchObject({ message: 'The redemption code is not valid.' })
    expect(await redeem(bob, '')).toMatchObject({ message: 'key: Redemption code is required.' })
    for (const reply of [await setStatus(9_999, 1), await put({ id: 9_999, name: 'x', quota: 1 })])
      expect(reply).toMatchObject({ code: 'not_found' })
  })
})
