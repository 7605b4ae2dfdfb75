import { needsSession } from '@sluice/contract/route'
import { ROUTES } from '@sluice/contract/routes/all'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { addLog } from '@sluice/testkit/rows'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

interface Page {
  readonly items: readonly { readonly name?: string; readonly quota?: number }[]
  readonly total: number
  readonly page: number
  readonly page_size: number
}

describe('lists for programs of New API', () => {
  let bench: ManagementBench
  let root: TestCaller
  let ann: TestCaller
  beforeAll(async () => {
    bench = await openManagementBench()
    root = await bench.addCaller('root', 100)
    ann = await bench.addCaller('ann', 1)
    for (const name of ['one', 'two', 'three']) {
      await bench.ask('POST', '/api/token/', { as: ann, body: { name, unlimited_quota: true } })
      await bench.ask('POST', '/api/channel/', { as: root, body: { type: 1, name, key: 'sk-x', models: 'gpt-4o' } })
      await addLog(bench.database.kysely, { created_at: 1_763_000_000, user_id: ann.id, amount: 2_000n })
    }
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const ask = (path: string, as: TestCaller, headers = {}) => bench.ask<Page>('GET', `/api/${path}`, { as, headers })
  const namesIn = (page: Page | undefined) => page?.items.map(({ name }) => name)

  it.each([
    ['token/', 'ann'],
    ['token/search?keyword=', 'ann'],
    ['log/self', 'ann'],
    ['channel/', 'root'],
    ['channel/search?keyword=', 'root'],
    ['log/', 'root'],
  ])('%s has their form with their header', async (path, name) => {
    const as = name === 'root' ? root : ann
    const { data, total } = await ask(path, as, { 'New-Api-User': String(as.id) })
    expect(data).toMatchObject({ total: 3, page: 1, items: [expect.anything(), expect.anything(), expect.anything()] })
    expect(total).toBeUndefined()
    const usual = await bench.ask<object[]>('GET', `/api/${path}`, { as })
    expect([usual.data, usual.total]).toEqual([data?.items, 3])
  })

  it('count pages from 1, and take page 0 for the first', async () => {
    const page = async (p: string) => (await ask(`token/?p=${p}&page_size=2`, ann)).data
    expect(await page('1')).toMatchObject({ total: 3, page: 1, page_size: 2 })
    expect(namesIn(await page('1'))).toEqual(['three', 'two'])
    expect(namesIn(await page('2'))).toEqual(['one'])
    expect(await page('0')).toEqual(await page('1'))
    const byHeader = await ask('token/?p=2&size=2', ann, { 'New-Api-User': String(ann.id) })
    expect(byHeader.data).toEqual(await page('2'))
    expect((await ask('token/?p=1&page_size=5000', ann)).data?.page_size).toBe(100)
    expect(await ask('token/?p=x&page_size=2', ann)).toMatchObject({ success: false, code: 'invalid_body' })
  })

  it('are found by a script as it sums its spending of a day', async () => {
    const query = 'log/self?p=1&page_size=100&type=2&start_timestamp=1762999999&end_timestamp=1763000001'
    const { data } = await ask(query, ann, { 'New-Api-User': String(ann.id) })
    expect(data?.items.reduce((sum, { quota = 0 }) => sum + quota, 0)).toBe(6)
  })

  it('can be made of every list that needs a sign-in', () => {
    const lists = ROUTES.map(({ spec }) => spec).filter(({ paged, access }) => paged === true && needsSession(access))
    expect(lists.length).toBeGreaterThan(10)
    for (const { path, query } of lists) {
      const page = query && v.parse(query, { p: '0', size: '7' })
      expect([path, page]).toEqual([path, expect.objectContaining({ p: 0, size: 7 })])
    }
  })

  it('are those of the caller, whoever the header names', { tags: 'S11' }, async () => {
    const foreign = await ask('token/', root, { 'New-Api-User': String(ann.id) })
    expect(foreign.data).toMatchObject({ total: 0, items: [] })
    expect(await ask('user/self', root, { 'New-Api-User': String(ann.id) })).toMatchObject({
      data: { username: 'root' },
    })
    const guest = await bench.ask('GET', '/api/token/', { headers: { 'New-Api-User': String(ann.id) } })
    expect(guest).toMatchObject({ status: 401, success: false })
  })
})
