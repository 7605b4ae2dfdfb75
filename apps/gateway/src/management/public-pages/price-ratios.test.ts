import type { DisplayedModel, PriceList } from '@sluice/contract/price-list'
import type { RatioConfig, RatioPrice, RatioPriceGroups } from '@sluice/contract/price-ratios'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PricedEntry } from './price-list.ts'
import { ratioPricesOf } from './price-ratios.ts'

const NO_PRICE = {
  input_price: 0,
  output_price: 0,
  cache_write_5m_price: 0,
  cache_write_1h_price: 0,
  max_tokens: 0,
  image_price: 0,
}

function priced(models: Readonly<Record<string, Partial<DisplayedModel>>>, priority = 0): PricedEntry {
  const shown = Object.fromEntries(Object.entries(models).map(([name, price]) => [name, { ...NO_PRICE, ...price }]))
  const channel = { channel_name: 'a', channel_type: 1, models: shown }
  return { groups: ['default'], priority, key: 'OpenAI:a', owner: 'OpenAI', shown: channel }
}

const usable = (ratio: number) => ({ ratio, desc: '', title: '', own: false, order: 0 })
const ALL = { within: undefined, usable: { default: usable(1), vip: usable(2) } }
const pricesOf = (...entries: readonly PricedEntry[]) => ratioPricesOf(entries, ALL, () => true)

describe('prices as ratios', () => {
  it('are multiples of two dollars per million tokens', () => {
    const price = { input_price: 3, cached_input_price: 0.3, output_price: 15, cache_write_5m_price: 3.75 }
    expect(pricesOf(priced({ m: price }))).toMatchObject([
      {
        model_name: 'm',
        quota_type: 0,
        model_ratio: 1.5,
        completion_ratio: 5,
        cache_ratio: 0.1,
        create_cache_ratio: 1.25,
        model_price: 0,
      },
    ])
  })

  it('count sound and pictures as New API does', () => {
    const sound = { input_price: 2.5, output_price: 10, unit_prices: { audio_input: 40, audio_output: 80 } }
    const drawing = { input_price: 5, unit_prices: { image_input: 10, image_output: 40 } }
    const speech = { unit_prices: { character: 15 } }
    expect(pricesOf(priced({ drawing, sound, speech }))).toMatchObject([
      { model_ratio: 2.5, completion_ratio: 8, image_ratio: 2 },
      { model_ratio: 1.25, completion_ratio: 4, audio_ratio: 16, audio_completion_ratio: 2 },
      { model_ratio: 7.5, completion_ratio: 0 },
    ])
  })

  it('are dollars where a call has one price', () => {
    const perCall = { quota_type: 1, model_ratio: 0, completion_ratio: 0 }
    expect(pricesOf(priced({ a: { image_price: 0.04 }, b: { unit_prices: { call: 5_000 } } }))).toMatchObject([
      { ...perCall, model_price: 0.04 },
      { ...perCall, model_price: 0.005 },
    ])
  })

  it('leave a model out whose price they cannot say, and keep one that costs nothing', () => {
    const byTime = { unit_prices: { audio_ms: 100 } }
    const answersOnly = { output_price: 4 }
    expect(pricesOf(priced({ answersOnly, byTime, free: {} })).map(({ model_name }) => model_name)).toEqual(['free'])
  })

  it('are those of the channel that is tried first', () => {
    const [low, high] = [priced({ m: { input_price: 2 } }), priced({ m: { input_price: 4 } }, 10)]
    expect(pricesOf(low, high)).toMatchObject([{ model_ratio: 2 }])
    expect(pricesOf(high, low)).toMatchObject([{ model_ratio: 2 }])
  })

  it('name those of the groups that can call a model which may be named', () => {
    const vip = { ...priced({ m: {} }), groups: ['vip', 'secret'] }
    expect(pricesOf(vip, priced({ a: {} })).map(({ enable_groups }) => enable_groups)).toEqual([['default'], ['vip']])
    expect(pricesOf(vip, priced({ m: {} })).map(({ enable_groups }) => enable_groups)).toEqual([['default', 'vip']])
  })
})

describe('the price calls of New API', () => {
  let bench: ManagementBench
  let root: TestCaller
  let vip: TestCaller
  beforeAll(async () => {
    bench = await openManagementBench()
    root = await bench.addCaller('root', 100)
    vip = await bench.addCaller('vera', 1)
    await bench.database.kysely.updateTable('user').set({ group_name: 'vip' }).where('id', '=', vip.id).execute()
    const channel = { type: 1, key: 'sk-canary' }
    const add = (body: object) => bench.ask('POST', '/api/channel/', { as: root, body: { ...channel, ...body } })
    await add({ name: 'main', models: 'gpt-4o,text-embedding-3-small,gpt-image-1', group: 'default' })
    await add({ name: 'costly', models: 'gpt-4o-mini', group: 'secret-group,vip' })
    const ratios = JSON.stringify({ default: 1, vip: 0.5, 'secret-group': 3 })
    await bench.ask('PUT', '/api/option/', { as: root, body: { key: 'GroupRatio', value: ratios } })
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const pricing = async (as?: TestCaller) => {
    const headers = as ? { cookie: as.cookie } : {}
    const reply = await bench.fetch(new Request('http://localhost:3000/api/pricing', { headers }))
    return (await reply.json()) as { readonly data: RatioPrice[] } & RatioPriceGroups
  }

  /** A script's reading of a row: dollars per million prompt and answer tokens. */
  const dollars = ({ model_ratio, completion_ratio }: RatioPrice, groupRatio = 1) => [
    model_ratio * 2 * groupRatio,
    model_ratio * 2 * completion_ratio * groupRatio,
  ]

  it('give scripts the prices of the price list', async () => {
    const { data: rows, group_ratio, usable_group, supported_endpoint } = await pricing()
    const list = (await bench.ask<PriceList>('GET', '/api/models/display')).data ?? {}
    const shown = Object.assign({}, ...Object.values(list).map(({ models }) => models)) as Record<
      string,
      DisplayedModel
    >
    expect(rows.map(({ model_name }) => model_name)).toEqual(Object.keys(shown).toSorted())
    for (const row of rows.filter(({ model_name }) => model_name.startsWith('gpt-4o'))) {
      const { input_price, output_price } = shown[row.model_name] ?? NO_PRICE
      expect(dollars(row)).toEqual([input_price, output_price])
    }
    expect([group_ratio, usable_group]).toEqual([{ default: 1 }, { default: 'default' }])
    const formats = Object.fromEntries(rows.map((row) => [row.model_name, row.supported_endpoint_types]))
    expect(formats).toEqual({
      'gpt-4o': ['openai', 'openai-response', 'anthropic', 'gemini'],
      'gpt-4o-mini': ['openai', 'openai-response', 'anthropic', 'gemini'],
      'gpt-image-1': ['image-generation'],
      'text-embedding-3-small': ['embeddings'],
    })
    for (const format of Object.values(formats).flat()) expect(supported_endpoint).toHaveProperty([format, 'path'])
  })

  it('show users the models and the ratio of their own group', async () => {
    const { data, group_ratio, usable_group } = await pricing(vip)
    expect(data).toMatchObject([{ model_name: 'gpt-4o-mini', owner_by: 'OpenAI', enable_groups: ['vip'] }])
    expect([group_ratio, usable_group]).toEqual([{ vip: 0.5 }, { vip: 'vip' }])
  })

  it('name no channel, no key and no group but the caller’s own', { tags: 'S20' }, async () => {
    const guest = await pricing()
    expect(guest.data.find(({ model_name }) => model_name === 'gpt-4o-mini')?.enable_groups).toEqual([])
    for (const reply of [guest, await pricing(vip), await bench.ask('GET', '/api/ratio_config')]) {
      expect(JSON.stringify(reply)).not.toMatch(/canary|secret-group|costly|main/)
    }
  })

  it('give other gateways the ratios by model', async () => {
    const { data } = await bench.ask<RatioConfig>('GET', '/api/ratio_config')
    expect(data).toMatchObject({
      model_ratio: { 'gpt-4o': 1.25 },
      completion_ratio: { 'gpt-4o': 4 },
      cache_ratio: { 'gpt-4o': 0.5 },
    })
    const { data: own } = await bench.ask<RatioConfig>('GET', '/api/ratio_config', { as: vip })
    expect(Object.keys(own?.model_ratio ?? {})).toEqual(['gpt-4o-mini'])
  })
})
