import { describe, expect, test } from 'vitest'
import { BOOK_VERSION } from './book.ts'
import type { ModelConfigs } from './model-config.ts'
import { parseModelConfigs } from './model-configs.ts'
import { type Quote, ratesAt } from './quote.ts'
import { rates, unpricedQuote } from './rates.ts'

const NONE: ModelConfigs = new Map()
const TODAY = Date.UTC(2026, 10, 21)
/** 10^-9 quota per token for a price in USD per million tokens. */
const usd = (price: number): bigint => BigInt(Math.round(price * 500_000_000))

function configs(value: object): ModelConfigs {
  const parsed = parseModelConfigs(JSON.stringify(value))
  if ('problem' in parsed) throw new Error(parsed.problem)
  return parsed
}

function quote(kind: number, model: string, own = NONE, at = TODAY): Quote {
  const found = rates(kind, model, own, at)
  if (found === 'missing') throw new Error(`${model} has no price`)
  return found
}

describe('the price book', () => {
  test('list prices become 10^-9 quota per token', () => {
    expect(quote(1, 'gpt-4o')).toStrictEqual({
      rates: {
        input: usd(2.5),
        cachedInput: usd(1.25),
        cacheWrite5m: usd(2.5),
        cacheWrite1h: usd(2.5),
        output: usd(10),
        units: { search: 5_000_000_000_000n, tool_call: 1_250_000_000_000n },
      },
      tiers: [],
      maxOutput: 16_384,
      context: 128_000,
      source: `book:${BOOK_VERSION}`,
    })
  })

  test('cache prices that a vendor does not have are the input price', () => {
    expect(quote(1, 'gpt-4').rates).toMatchObject({ input: usd(30), cachedInput: usd(30), cacheWrite1h: usd(30) })
    expect(quote(14, 'claude-haiku-4-5').rates).toMatchObject({
      cachedInput: usd(0.1),
      cacheWrite5m: usd(1.25),
      cacheWrite1h: usd(2),
    })
  })

  test('a dated name costs what its model costs, and nothing else is guessed', () => {
    expect(quote(1, 'gpt-4o-2024-08-06')).toStrictEqual(quote(1, 'gpt-4o'))
    expect(quote(14, 'claude-haiku-4-5-20251001')).toStrictEqual(quote(14, 'claude-haiku-4-5'))
    for (const model of [
      'gpt-4o-latest',
      'gpt-4o-2024-13-06',
      'gpt-4o-2024-0806',
      'GPT-4o',
      'gpt-4o2024-08-06',
      'gpt',
      '',
      '__proto__',
      'constructor',
    ]) {
      expect(rates(1, model, NONE, TODAY)).toBe('missing')
    }
  })

  test('a retired model still has its price', () => {
    expect(quote(50, 'gpt-4').rates.input).toBe(usd(30))
  })

  test('a model sold by another vendor may cost something else there', () => {
    expect(quote(36, 'deepseek-v4-pro').rates.input).toBe(usd(0.66))
    expect(quote(49, 'deepseek-v4-pro').rates.input).toBe(usd(9 / 7.2))
    expect(quote(50, 'deepseek-v4-pro').rates.input).toBe(usd(0.66))
  })

  test('yuan become dollars, rounded up to 10^-9 quota', () => {
    expect(quote(49, 'qwen3.8-max').rates.input).toBe(833_333_334n)
  })

  test('long prompts cost more from their threshold on', () => {
    const gemini = quote(24, 'gemini-2.5-pro')
    expect(ratesAt(gemini, 200_000, 1)).toBe(gemini.rates)
    expect(ratesAt(gemini, 200_001, 1)).toMatchObject({ input: usd(2.5), output: usd(15), cachedInput: usd(0.25) })
  })
})

describe('a channel’s own configuration', () => {
  test('prices a model that the price book does not know', () => {
    const own = configs({
      mine: { ratio: 0.1, completion_ratio: 3, max_tokens: 99 },
      flat: { ratio: 1.5 },
      free: { ratio: 0 },
    })
    expect(quote(50, 'mine', own)).toStrictEqual({
      rates: {
        input: 100_000_000n,
        cachedInput: 100_000_000n,
        cacheWrite5m: 100_000_000n,
        cacheWrite1h: 100_000_000n,
        output: 300_000_000n,
      },
      tiers: [],
      maxOutput: 99,
      context: undefined,
      source: 'channel',
    })
    expect(quote(50, 'flat', own).rates).toMatchObject({ input: 1_500_000_000n, output: 1_500_000_000n })
    expect(quote(50, 'free', own).rates).toMatchObject({ input: 0n, cachedInput: 0n, output: 0n })
  })

  test('without a ratio does not price an unknown model', () => {
    expect(rates(50, 'mine', configs({ mine: { completion_ratio: 2 } }), TODAY)).toBe('missing')
    expect(rates(50, 'mine', configs({ mine: { max_tokens: 9 } }), TODAY)).toBe('missing')
  })

  test('replaces the list price and keeps the model’s proportions', () => {
    const doubled = quote(24, 'gemini-2.5-pro', configs({ 'gemini-2.5-pro': { ratio: 1.25 } }))
    expect(doubled).toMatchObject({
      source: 'channel',
      rates: { input: usd(2.5), cachedInput: usd(0.25), output: usd(20) },
    })
    expect(ratesAt(doubled, 300_000, 1)).toMatchObject({ input: usd(5), cachedInput: usd(0.5), output: usd(30) })
  })

  test('a completion ratio alone changes the output price alone', () => {
    const own = quote(1, 'gpt-4o', configs({ 'gpt-4o': { completion_ratio: 3 } }))
    expect(own.rates).toMatchObject({ input: usd(2.5), cachedInput: usd(1.25), output: usd(7.5) })
  })

  test('a cap alone leaves the price to the price book', () => {
    const own = quote(1, 'gpt-4o', configs({ 'gpt-4o': { max_tokens: 500 } }))
    expect(own).toStrictEqual({ ...quote(1, 'gpt-4o'), maxOutput: 500 })
    expect(quote(1, 'gpt-4o', configs({ 'gpt-4o': { max_tokens: 0 } })).maxOutput).toBe(16_384)
  })

  test('is looked up by the dated name first, then, with the price book, by the plain one', () => {
    const own = configs({ 'gpt-4o': { ratio: 9 }, 'gpt-4o-2024-08-06': { ratio: 7 } })
    expect(quote(1, 'gpt-4o-2024-08-06', own).rates.input).toBe(7_000_000_000n)
    expect(quote(1, 'gpt-4o-2024-11-20', own).rates.input).toBe(9_000_000_000n)
  })
})

const RATE = 30_000_000_000n

test('a refusing policy prices nothing', () => {
  expect(unpricedQuote(50, 'refuse', 30)).toBe('missing')
})

test('the fallback charges the stated ratio for every token, and says so', () => {
  expect(unpricedQuote(50, 'fallback', 30)).toMatchObject({
    rates: { input: RATE, cachedInput: RATE, output: RATE },
    source: 'policy:fallback',
  })
})

test('reported costs are charged where the provider may report them, and nowhere else', () => {
  expect(unpricedQuote(20, 'reported', 30)).toMatchObject({
    rates: { input: RATE },
    charges: 'reported',
    source: 'policy:reported',
  })
  expect(unpricedQuote(1, 'reported', 30)).toBe('missing')
})
