import type { ChannelHistory } from '@sluice/contract/channel-history'
import type { PriceList } from '@sluice/contract/price-list'
import { addChannelCalls } from '@sluice/store/queries/channels/channel-history'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

describe('pages for everyone', () => {
  let bench: ManagementBench
  let root: TestCaller
  let ann: TestCaller
  beforeAll(async () => {
    bench = await openManagementBench()
    root = await bench.addCaller('root', 100)
    ann = await bench.addCaller('ann', 1)
    const configs = JSON.stringify({ 'own-model': { ratio: 2.5, completion_ratio: 4, max_tokens: 4096 } })
    await add({ name: 'main', models: 'gpt-4o,own-model,nobody-knows-it', group: 'default', model_configs: configs })
    await add({ name: 'costly', models: 'gpt-4o-mini', group: 'vip' })
    await add({ name: 'mapped', models: 'alias', group: 'default', model_mapping: '{"alias":"gpt-4o"}' })
    const off = await add({ name: 'off', models: 'gpt-4o', group: 'default' })
    await bench.ask('PUT', '/api/channel/?status_only=1', { as: root, body: { id: off, status: 2 } })
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const add = async (body: object): Promise<number> => {
    await bench.ask('POST', '/api/channel/', { as: root, body: { type: 1, key: 'sk-canary', ...body } })
    const { id } = await bench.database.kysely
      .selectFrom('channel')
      .select('id')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    return id
  }
  const prices = async (query = '', as?: TestCaller) =>
    (await bench.ask<PriceList>('GET', `/api/models/display${query}`, as ? { as } : {})).data ?? {}

  it('list every enabled channel with its prices for guests', async () => {
    const list = await prices()
    expect(Object.keys(list)).toEqual(['OpenAI:main', 'OpenAI:costly', 'OpenAI:mapped'])
    expect(list['OpenAI:main']).toMatchObject({ channel_name: 'main', channel_type: 1 })
    // A model without a price cannot be called, so it is not offered.
    expect(Object.keys(list['OpenAI:main']?.models ?? {})).toEqual(['gpt-4o', 'own-model'])
    expect(list['OpenAI:main']?.models['own-model']).toEqual({
      input_price: 5,
      cached_input_price: 5,
      output_price: 20,
      cache_write_5m_price: 5,
      cache_write_1h_price: 5,
      max_tokens: 4_096,
      image_price: 0,
      capabilities: expect.objectContaining({ supportsTopP: true, supportsVision: false }),
    })
    const [book, mapped] = [list['OpenAI:main']?.models['gpt-4o'], list['OpenAI:mapped']?.models['alias']]
    expect(book?.input_price).toBe(2.5)
    expect(book?.output_price).toBe(10)
    expect(mapped).toEqual(book)
  })

  it('list the channels of a user’s own group, and the list for guests when the session has ended', async () => {
    expect(Object.keys(await prices('', ann))).toEqual(['OpenAI:main', 'OpenAI:mapped'])
    await bench.database.kysely.updateTable('user').set({ group_name: 'vip' }).where('id', '=', ann.id).execute()
    expect(Object.keys(await prices('', ann))).toEqual(['OpenAI:costly'])
    const expired = await bench.ask<PriceList>('GET', '/api/models/display', { as: 'session=gone' })
    expect([expired.status, Object.keys(expired.data ?? {}).length]).toEqual([200, 3])
  })

  it('can be searched, and follow a change of channels at once', async () => {
    expect(Object.keys(await prices('?keyword=MINI'))).toEqual(['OpenAI:costly'])
    expect(Object.keys(await prices('?q=alias'))).toEqual(['OpenAI:mapped'])
    const added = await add({ name: 'later', models: 'gpt-4o', group: 'default' })
    expect(Object.keys(await prices())).toContain('OpenAI:later')
    await bench.ask('DELETE', `/api/channel/${added}`, { as: root })
    expect(Object.keys(await prices())).not.toContain('OpenAI:later')
  })

  it('show how the channels are doing, six at a time, newest first', async () => {
    const first = await bench.ask<{ name: string }[]>('GET', '/api/status/channel')
    expect(first).toMatchObject({
      status: 200,
      total: 4,
      data: [
        { name: 'off', status: 'manually_disabled', enabled: false },
        { name: 'mapped', status: 'enabled', enabled: true, response: { response_time_ms: 0, test_time: 0 } },
        { name: 'costly' },
        { name: 'main' },
      ],
    })
    expect((await bench.ask<object[]>('GET', '/api/status/channel?p=1&size=3')).data).toHaveLength(1)
    for (let i = 0; i < 4; i++) await add({ name: `more-${i}`, models: 'gpt-4o', group: 'default' })
    expect((await bench.ask<object[]>('GET', '/api/status/channel')).data).toHaveLength(6)
    await bench.database.kysely.updateTable('channel').set({ status: 3 }).where('name', '=', 'main').execute()
    await bench.database.kysely.updateTable('channel').set({ status: 9 }).where('name', '=', 'off').execute()
    const all = (await bench.ask<{ name: string; status: string }[]>('GET', '/api/status/channel?size=100')).data ?? []
    const statusOf = (name: string) => all.find((channel) => channel.name === name)?.status
    expect([statusOf('main'), statusOf('off')]).toEqual(['auto_disabled', 'unknown'])
  })

  it('are found by a part of their name, next to a summary of all of them', async () => {
    const ask = (keyword: string) => bench.ask<{ name: string }[]>('GET', `/api/status/channel?keyword=${keyword}`)
    const found = await ask('APP')
    expect(found).toMatchObject({ total: 1, data: [{ name: 'mapped' }] })
    const summary = { channels: 8, enabled: 6, manually_disabled: 0, auto_disabled: 1, average_response_ms: 0 }
    expect(found).toMatchObject({ summary })
    await bench.database.kysely
      .updateTable('channel')
      .set({ response_time: 400 })
      .where('name', '=', 'mapped')
      .execute()
    await bench.database.kysely
      .updateTable('channel')
      .set({ response_time: 801 })
      .where('name', '=', 'costly')
      .execute()
    await bench.database.kysely
      .updateTable('channel')
      .set({ response_time: 9_000 })
      .where('name', '=', 'main')
      .execute()
    expect(await ask('no such')).toMatchObject({
      total: 0,
      data: [],
      summary: { ...summary, average_response_ms: 601 },
    })
    expect((await ask('%25')).total).toBe(0)
  })

  it('show the share of calls that channels answered, without revealing how many there were', async () => {
    const now = Math.floor(bench.clock.now / 1_000)
    const start = now - (now % 300)
    const ids = await bench.database.kysely.selectFrom('channel').select(['id', 'name']).execute()
    const idOf = (name: string) => ids.find((channel) => channel.name === name)?.id ?? 0
    await addChannelCalls(bench.database.kysely, [
      { channelId: idOf('mapped'), start, answered: 1_999, failed: 1 },
      { channelId: idOf('mapped'), start: start - 3_600, answered: 1, failed: 3 },
      { channelId: idOf('mapped'), start: start - 3 * 86_400, answered: 0, failed: 1 },
      // From a clock that was ahead: it belongs to none of these days (class S45).
      { channelId: idOf('mapped'), start: start + 365 * 86_400, answered: 0, failed: 999 },
    ])
    type Item = { readonly name: string; readonly history?: ChannelHistory }
    const historyOf = async (name: string, query: string) => {
      const found = await bench.ask<Item[]>('GET', `/api/status/channel?size=100${query}`)
      return found.data?.find((channel) => channel.name === name)?.history
    }
    expect(await historyOf('mapped', '')).toBeUndefined()
    const day = await historyOf('mapped', '&range=day')
    expect(day).toMatchObject({ step: 1_800, answered: 998 })
    expect(day?.bars).toHaveLength(48)
    expect([day?.bars[47], day?.bars[46], day?.bars[45]]).toEqual([999, null, 250])
    expect(now - (day?.from ?? 0)).toBeLessThan(86_400)
    expect((await historyOf('costly', '&range=day'))?.answered).toBeNull()
    expect(await historyOf('mapped', '&range=week')).toMatchObject({ step: 21_600, answered: 997 })
    const quarter = await historyOf('mapped', '&range=quarter')
    expect(quarter?.bars).toHaveLength(90)
    expect(quarter?.bars[86]).toBe(0)
    expect(await bench.ask('GET', '/api/status/channel?range=century')).toMatchObject({ success: false })
    expect(JSON.stringify(day)).not.toContain('1999')
  })

  it('name no key, no address and no group', { tags: 'S20' }, async () => {
    for (const path of ['/api/models/display', '/api/status/channel?size=100&range=quarter', '/api/status']) {
      expect(JSON.stringify(await bench.ask('GET', path))).not.toMatch(/canary|base_url|key_sealed|default/)
    }
  })
})
