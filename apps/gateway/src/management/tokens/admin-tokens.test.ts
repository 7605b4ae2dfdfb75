import type { AnyToken } from '@sluice/contract/token'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

describe('the tokens of all users, for administrators', () => {
  let bench: ManagementBench
  let admin: TestCaller
  let ann: TestCaller
  let bob: TestCaller
  const keys: string[] = []
  beforeAll(async () => {
    bench = await openManagementBench()
    admin = await bench.addCaller('admin', 10)
    ann = await bench.addCaller('ann', 1)
    bob = await bench.addCaller('bob', 1)
    await add(ann, { name: 'laptop', remain_quota: 50 })
    await add(ann, { name: 'empty', remain_quota: 0 })
    await add(bob, { name: 'server', unlimited_quota: true })
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const add = async (as: TestCaller, body: object): Promise<void> => {
    const { data } = await bench.ask<{ key: string }>('POST', '/api/token/', { as, body })
    keys.push(data?.key ?? '')
  }
  const list = (query: string, as = admin) => bench.ask<AnyToken[]>('GET', `/api/admin/tokens/${query}`, { as })
  const names = async (query: string) => (await list(query)).data?.map(({ name }) => name)

  it('are listed with their owners, newest first, paged and counted', async () => {
    expect(await list('?size=2')).toMatchObject({
      total: 3,
      data: [
        { name: 'server', username: 'bob', user_id: bob.id, unlimited_quota: true, status: 1 },
        { name: 'empty', username: 'ann', user_id: ann.id, remain_quota: 0, status: 4 },
      ],
    })
    expect(await names('?p=1&size=2')).toEqual(['laptop'])
  })

  it('are filtered by owner and shown status, searched by name or owner, and sorted', async () => {
    expect(await names(`?user_id=${ann.id}`)).toEqual(['empty', 'laptop'])
    expect(await names('?status=4')).toEqual(['empty'])
    expect(await names(`?status=1&user_id=${ann.id}`)).toEqual(['laptop'])
    expect(await names('search?keyword=LAP')).toEqual(['laptop'])
    expect(await names('search?keyword=bo')).toEqual(['server'])
    expect(await names('search?keyword=%25')).toEqual([])
    expect(await names('?sort=name&order=asc')).toEqual(['empty', 'laptop', 'server'])
    for (const sort of ['status', 'remain_quota', 'username', 'accessed_time', 'key_hash; drop table token'])
      expect(await names(`?sort=${encodeURIComponent(sort)}`)).toHaveLength(3)
    expect(await list('?status=9')).toMatchObject({ code: 'invalid_body' })
  })

  it('are found by id', async () => {
    const [first] = (await list('')).data ?? []
    expect(await bench.ask('GET', `/api/admin/tokens/${first?.id}`, { as: admin })).toMatchObject({ data: first })
    expect(await bench.ask('GET', '/api/admin/tokens/999', { as: admin })).toMatchObject({ code: 'not_found' })
  })

  it('show no key to anyone, and are closed to users', { tags: 'S20' }, async () => {
    for (const query of ['', 'search?keyword=laptop', '1']) {
      const text = JSON.stringify(await list(query))
      for (const key of keys) expect(text).not.toContain(key.slice(3))
      expect(text).not.toMatch(/key/)
      expect((await list(query, ann)).status).toBe(403)
    }
  })
})
