import { describe, expect, test } from 'vitest'
import { familyPrices, type FamilyEntry, priceDifference } from './family-ratios.ts'
import { priceOverridesProblem } from './price-overrides.ts'

const TODAY = Date.UTC(2026, 10, 21)

function one(from: {
  readonly [Name in keyof Parameters<typeof familyPrices>[0]]?: Readonly<Record<string, number>>
}): ReturnType<typeof familyPrices> {
  return familyPrices(
    Object.fromEntries(Object.entries(from).map(([name, table]) => [name, new Map(Object.entries(table))])),
  )
}
const entryOf = (...args: Parameters<typeof one>): FamilyEntry | undefined => one(...args).entries.get('m')

describe('the ratios of a gateway of the family', () => {
  test('become an entry of the same price', () => {
    expect(entryOf({ modelRatio: { m: 1.25 }, completionRatio: { m: 4 } })).toEqual({
      ratio: 1.25,
      completion_ratio: 4,
    })
    expect(entryOf({ modelRatio: { m: 1.5 }, cacheRatio: { m: 0.1 }, createCacheRatio: { m: 1.25 } })).toEqual({
      ratio: 1.5,
      cached_input_ratio: 0.15,
      cache_write_5m_ratio: 1.875,
      cache_write_1h_ratio: 3,
    })
  })

  test('say nothing of what their gateway has no table for, and the whole price where its table lacks the model', () => {
    expect(entryOf({ modelRatio: { m: 2 } })).toEqual({ ratio: 2 })
    expect(entryOf({ modelRatio: { m: 2 }, cacheRatio: {}, createCacheRatio: {}, completionRatio: {} })).toEqual({
      ratio: 2,
      cached_input_ratio: 2,
    })
  })

  test('of 0 are free', () => {
    const entry = entryOf({ modelRatio: { m: 0 }, completionRatio: { m: 0 }, cacheRatio: { m: 0.5 } })
    expect(entry).toEqual({ ratio: 0, completion_ratio: 0, cached_input_ratio: -1 })
  })

  test('give way to a price per call, which is exact', () => {
    const per_call = { usd_per_thousand_calls: 70, only: true }
    expect(entryOf({ modelRatio: { m: 2 }, modelPrice: { m: 0.07 } })).toEqual({ per_call })
    expect(entryOf({ modelPrice: { m: 0 } })).toEqual({ per_call: { usd_per_thousand_calls: 0, only: true } })
  })

  test('per call are per picture where the model makes pictures', () => {
    expect(one({ modelPrice: { 'dall-e-3': 0.04, 'gpt-image-1': 0.1 } }).entries).toEqual(
      new Map([
        ['dall-e-3', { ratio: 0, completion_ratio: 0, image: { price_per_image_usd: 0.04 } }],
        ['gpt-image-1', { ratio: 0, completion_ratio: 0, image: { price_per_image_usd: 0.1 } }],
      ]),
    )
  })

  test('that cannot be taken are named with their table and the reason', () => {
    const tables = {
      modelRatio: { 'whisper-1': 15, a: -1, b: Number.NaN, c: 1, d: 1e5, e: 2_000_000 },
      completionRatio: { c: -2 },
      cacheRatio: { d: 1e5 },
      modelPrice: { f: 1_001 },
    }
    const { entries, left } = one(tables)
    expect([...entries]).toEqual([])
    expect(left.map(({ model, field, reason }) => `${model} ${field} ${reason}`).toSorted()).toEqual([
      'a modelRatio not_a_price',
      'b modelRatio not_a_price',
      'c completionRatio not_a_price',
      'd cacheRatio not_a_price',
      'e modelRatio not_a_price',
      'f modelPrice not_a_price',
      'whisper-1 modelRatio sold_by_piece',
    ])
  })

  test('are accepted as price overrides, whatever the models are called', () => {
    const { entries } = one({ modelRatio: { ['__proto__']: 1, constructor: 2, 'a b': 0 }, cacheRatio: {} })
    expect(priceOverridesProblem(JSON.stringify(Object.fromEntries(entries)))).toBeUndefined()
  })
})

describe('the difference to the price book', () => {
  const difference = (model: string, entry: FamilyEntry) => priceDifference(model, entry, TODAY)

  test('is 0 for the same price, and otherwise that of what differs most', () => {
    expect(difference('gpt-4o', { ratio: 1.25, completion_ratio: 4 })).toMatchObject({
      outcome: 'compared',
      fraction: 0,
    })
    expect(difference('gpt-4o', { ratio: 1.25, completion_ratio: 3 })).toEqual({
      outcome: 'compared',
      fraction: 0.25,
      of: 'output',
    })
    expect(difference('gpt-4o', { ratio: 1.25, cached_input_ratio: 1.25 })).toEqual({
      outcome: 'compared',
      fraction: 1,
      of: 'cachedInput',
    })
    expect(
      difference('claude-haiku-4-5', { ratio: 0.5, cache_write_5m_ratio: 0.625, cache_write_1h_ratio: 1.5 }),
    ).toEqual({ outcome: 'compared', fraction: 0.5, of: 'cacheWrite1h' })
    expect(
      difference('dall-e-3', { ratio: 0, completion_ratio: 0, image: { price_per_image_usd: 0.05 } }),
    ).toMatchObject({
      outcome: 'compared',
      of: 'image',
      fraction: expect.closeTo(0.25),
    })
  })

  test('is not a number where the book lacks the model, or sells it by something else', () => {
    expect(difference('nobody-knows-it', { ratio: 1 })).toEqual({ outcome: 'unknown' })
    const per_call = { usd_per_thousand_calls: 40, only: true } as const
    expect(difference('gpt-4o', { per_call })).toEqual({ outcome: 'other_units' })
  })

  test('is that on a channel of the kind that is asked about', () => {
    expect(priceDifference('deepseek-v4-pro', { ratio: 0.33 }, TODAY, 36)).toMatchObject({ fraction: 0 })
    expect(priceDifference('deepseek-v4-pro', { ratio: 0.33 }, TODAY, 49)).not.toMatchObject({ fraction: 0 })
  })
})
