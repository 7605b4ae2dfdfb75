import type { Channel, ChannelJob } from '@sluice/contract/channel'
import { CHANNEL_BODIES } from '@sluice/testkit/channel-bodies'
import { databaseEngines } from '@sluice/testkit/databases'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

describe.each(databaseEngines)('the life of channels on %s', (engine) => {
  let bench: ManagementBench
  let admin: TestCaller
  beforeAll(async () => {
    bench = await openManagementBench(engine)
    admin = await bench.addCaller('admin', 10)
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const ask = <D>(method: string, path: string, body?: object) =>
    bench.ask<D>(method, `/api/channel/${path}`, body === undefined ? { as: admin } : { as: admin, body })

  it('is the same for every type', async () => {
    for (const body of CHANNEL_BODIES) {
      const { data, message } = await ask<number[]>('POST', '', { name: `type ${body.type}`, models: 'a,b', ...body })
      expect([body.type, message]).toEqual([body.type, ''])
      const id = data?.[0] ?? 0
      const made = (await ask<Channel>('GET', String(id))).data
      expect(made).toMatchObject({ type: body.type, status: 1, test_models: ['a', 'b'], balance: 0 })
      expect((await ask<Channel>('PUT', '', { ...made, key: '' })).data).toEqual(made)
      expect((await ask<Channel>('PUT', '', { id, testing_model: 'b' })).data).toMatchObject({ testing_model: 'b' })
      expect((await ask<Channel>('PUT', '', { id, testing_model: null })).data).toEqual(made)
    }
  })

  it('is listed, sorted and searched', async () => {
    for (const sort of ['id', 'name', 'type', 'status', 'response_time', 'test_time', 'priority', 'weight']) {
      expect((await ask('GET', `?sort=${sort}&size=100`)).total).toBe(CHANNEL_BODIES.length)
    }
    for (const sort of ['used_quota', 'created_time', 'created_at', 'balance', 'balance_updated_time', 'no such']) {
      expect((await ask('GET', `?sort=${sort}&order=asc`)).data).toHaveLength(10)
    }
    const fifties = CHANNEL_BODIES.filter(({ type }) => String(type).startsWith('5'))
    expect((await ask('GET', 'search?keyword=TYPE%205')).total).toBe(fifties.length)
    expect((await ask<Channel[]>('GET', 'search?keyword=17')).data?.map(({ id }) => id)).toEqual([17])
  })

  it('goes on in copies, prices, tests and ends', async () => {
    const copy = await ask<Channel>('POST', '50/duplicate')
    expect(copy.data).toMatchObject({ name: 'type 50 Copy', type: 50 })
    const id = copy.data?.id ?? 0
    const pricing = { model_configs: { a: { ratio: 2 } }, tooling: { whitelist: ['x'] } }
    expect((await ask('PUT', `pricing/${id}`, pricing)).data).toMatchObject({ model_ratio: '{"a":2}' })
    expect((await ask<Channel>('GET', String(id))).data?.config).toContain('"tooling":{"whitelist":["x"]}')

    expect(await ask('GET', `test/${id}`)).toMatchObject({ success: true, time: 0.12 })
    expect(await ask('POST', 'test', { id, models: 'a,c', model: 'c' })).toMatchObject({
      success: true,
      modelName: 'c',
    })
    expect((await ask<Channel>('GET', String(id))).data).toMatchObject({ models: 'a,b' })
    expect(await ask('GET', 'test?scope=disabled')).toMatchObject({ success: true })
    await bench.settleBackground()
    expect((await ask<ChannelJob>('GET', 'test/status')).data).toMatchObject({ scope: 'disabled', total: 0 })
    expect((await ask<Channel>('GET', String(id))).data).toMatchObject({ response_time: 120 })

    expect(await ask('PUT', '?status_only=true', { id, status: 2 })).toMatchObject({ data: { status: 2 } })
    expect(await ask('DELETE', 'disabled')).toMatchObject({ data: 1 })
    expect(await ask('DELETE', '50')).toMatchObject({ success: true })
    expect(await ask('GET', '50')).toMatchObject({ code: 'not_found' })
  })
})
