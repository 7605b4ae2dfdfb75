import { describe, expect, test } from 'vitest'
import { BOOK_VERSION } from './book.ts'
import type { ModelConfigs } from './model-config.ts'
import { parseModelConfigs } from './model-configs.ts'
import { quoteForPicture } from './picture-price.ts'
import { createPriceOverrides, NO_OVERRIDES, priceOverridesProblem } from './price-overrides.ts'
import type { Quote } from './quote.ts'
import { modelPrice, quoteAt } from './rates.ts'

const TODAY = Date.UTC(2026, 10, 21)
const ONE = 1_000_000_000n
const DOLLAR = 500_000n * ONE

function configs(value: object): ModelConfigs {
  const parsed = parseModelConfigs(JSON.stringify(value))
  if ('problem' in parsed) throw new Error(parsed.problem)
  return parsed
}

function quote(model: string, { own = {}, overrides = {}, kind = 1 }): Quote {
  const price = modelPrice(kind, model, configs(own), configs(overrides))
  if (price === 'missing') throw new Error(`${model} has no price`)
  return quoteAt(price, TODAY)
}

describe('a price override', () => {
  test('comes before the price book, whose proportions it keeps', () => {
    const overrides = { 'gpt-4o': { ratio: 5 } }
    const { source, rates, context } = quote('gpt-4o', { overrides })
    expect({ source, context, ...rates }).toMatchObject({
      source: 'override',
      context: 128_000,
      input: 5n * ONE,
      cachedInput: (5n * ONE) / 2n,
      output: 20n * ONE,
      units: { search: DOLLAR / 100n },
    })
    expect(quote('gpt-4.1', { overrides }).source).toBe(`book:${BOOK_VERSION}`)
  })

  test('comes after what the channel itself sets, and stays where the channel sets nothing', () => {
    const overrides = { 'gpt-4o': { ratio: 5, cached_input_ratio: 1, max_tokens: 7 } }
    const own = { 'gpt-4o': { completion_ratio: 2 } }
    expect(quote('gpt-4o', { own, overrides })).toMatchObject({
      source: 'channel',
      maxOutput: 7,
      rates: { input: 5n * ONE, cachedInput: ONE, output: 10n * ONE },
    })
    expect(quote('gpt-4o', { own: { 'gpt-4o': { ratio: 10 } }, overrides }).rates).toMatchObject({
      input: 10n * ONE,
      cachedInput: 2n * ONE,
    })
    expect(quote('gpt-4o', { own: { 'gpt-4o': { max_tokens: 3 } }, overrides })).toMatchObject({
      source: 'override',
      maxOutput: 3,
    })
  })

  test('prices a model that the book does not know, if it can do so alone', () => {
    expect(quote('mine', { overrides: { mine: { ratio: 3 } } }).rates).toMatchObject({
      input: 3n * ONE,
      output: 3n * ONE,
    })
    expect(modelPrice(50, 'mine', NO_OVERRIDES, configs({ mine: { completion_ratio: 3 } }))).toBe('missing')
  })

  test('is looked up by the dated name first, then by the plain one', () => {
    const overrides = { 'gpt-4o': { ratio: 9 }, 'gpt-4o-2024-08-06': { ratio: 7 } }
    expect(quote('gpt-4o-2024-08-06', { overrides }).rates.input).toBe(7n * ONE)
    expect(quote('gpt-4o-2024-11-20', { overrides }).rates.input).toBe(9n * ONE)
  })

  test('of pictures keeps the multiples of the list, or has its own', () => {
    const image = { price_per_image_usd: 0.1 }
    const listed = quote('dall-e-3', { overrides: { 'dall-e-3': { image } } })
    expect(quoteForPicture(listed, '1024x1792', 'hd').rates.units?.image).toBe((DOLLAR * 3n) / 10n)
    const own = quote('dall-e-3', {
      overrides: { 'dall-e-3': { image: { ...image, quality_multipliers: { hd: 5 } } } },
    })
    expect(quoteForPicture(own, '1024x1792', 'hd').rates.units?.image).toBe(DOLLAR / 2n)
  })

  test('is named with the time window that applied', () => {
    const window = { name: 'always', ranges: [{ start: '00:00', end: '00:00' }], overlay: { ratio: 1 } }
    const overrides = { 'gpt-4o': { ratio: 5, time_windows: [window] } }
    expect(quote('gpt-4o', { overrides })).toMatchObject({ source: 'override;window:always', rates: { input: ONE } })
  })
})

describe('a price for the call alone', () => {
  const per_call = { usd_per_thousand_calls: 40, only: true }

  test('replaces every price of the list but those of searches and tools', () => {
    const { rates, tiers } = quote('gpt-4o', { overrides: { 'gpt-4o': { per_call } } })
    expect([rates, tiers]).toEqual([
      {
        input: 0n,
        cachedInput: 0n,
        cacheWrite5m: 0n,
        cacheWrite1h: 0n,
        output: 0n,
        units: { call: DOLLAR / 25n, search: DOLLAR / 100n, tool_call: DOLLAR / 400n },
      },
      [],
    ])
    expect(quote('whisper-1', { own: { 'whisper-1': { per_call } } }).rates.units).toEqual({ call: DOLLAR / 25n })
    expect(quote('gemini-2.5-pro', { kind: 24, overrides: { 'gemini-2.5-pro': { per_call } } }).tiers).toEqual([])
    expect(quote('mistral-ocr-latest', { kind: 28, own: { 'mistral-ocr-latest': { per_call } } }).rates.units).toEqual({
      call: DOLLAR / 25n,
      page: 0n,
    })
  })

  test('may be 0, and stays when the channel adds a price for tokens', () => {
    const free = { per_call: { usd_per_thousand_calls: 0, only: true } }
    expect(quote('mine', { own: { mine: free } }).rates).toMatchObject({ input: 0n, units: { call: 0n } })
    const both = quote('mine', { own: { mine: { ratio: 2 } }, overrides: { mine: { per_call } } })
    expect(both.rates).toMatchObject({ input: 2n * ONE, output: 2n * ONE, units: { call: DOLLAR / 25n } })
  })
})

test('an override that is wrong is named with its model and field', () => {
  expect(priceOverridesProblem('{"a":{"ratio":1},"b":{"ratio":"1"}}')).toBe(
    'Invalid ratio for model "b": must be a number from 0 to 1000000',
  )
  expect(priceOverridesProblem('{"a":{"per_call":{"only":true}}}')).toBe(
    'Invalid per_call.usd_per_thousand_calls for model "a": must be set if "only" is true',
  )
  expect(priceOverridesProblem('{"a":{"per_call":{"only":1}}}')).toBe(
    'Invalid per_call.only for model "a": must be true or false',
  )
  expect(priceOverridesProblem('')).toBeUndefined()
})

test('overrides are parsed when their text changes, and a wrong text counts as empty', () => {
  let text = '{}'
  const problems: string[] = []
  const overrides = createPriceOverrides(
    () => text,
    (problem) => problems.push(problem),
  )
  expect(overrides()).toBe(NO_OVERRIDES)
  text = '{"a":{"ratio":1}}'
  const first = overrides()
  expect([...first.keys()]).toEqual(['a'])
  text = ['{"a":', '{"ratio":1}}'].join('')
  expect(overrides()).toBe(first)
  text = '{"a":1}'
  expect([overrides(), overrides()]).toEqual([NO_OVERRIDES, NO_OVERRIDES])
  expect(problems).toEqual(['Invalid config for model "a": must be a JSON object'])
})
