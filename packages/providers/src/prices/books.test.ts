import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { BOOK_VERSION, BOOK_VERSIONS, bookEntry, bookOfVersion, CURRENT_BOOK, pricesOver } from './book.ts'
import { decimal } from './decimal.ts'
import type { PriceBook } from './price-row.ts'
import { quoteAt, modelPrice } from './rates.ts'

/** SHA-256 of each book as JSON text. Receipts name a released book, so it never changes; corrections are a new version. */
const DIGESTS: Readonly<Record<string, string>> = {
  '2026-11-20': '76d8eac81fc1268d3fc2527015ea1403f9fc25f8770eebf9d235bfd3cb58072f',
  '2026-11-21': 'c7c20fac8e343c38780cb5c96131f9e2c9a0ea05923e6186700812cd0e4bcda9',
  '2026-11-22': '5ddb22ad5fed5758add42320c29e419fd75959e0d442ad675cca53336f62f03f',
}

const TODAY = Date.UTC(2026, 10, 21, 22)
const usd = (price: number): bigint => BigInt(Math.round(price * 500_000_000))

async function book(version: string): Promise<PriceBook> {
  const found = await bookOfVersion(version)
  if (found === undefined) throw new Error(`no book ${version}`)
  return found
}

test.each(BOOK_VERSIONS)('the book of %s is as it was released', async (version) => {
  const text = JSON.stringify(await book(version))
  expect(createHash('sha256').update(text).digest('hex')).toBe(DIGESTS[version])
  expect(text.length).toBeLessThan(600_000)
})

test.each(BOOK_VERSIONS)('every price in the book of %s can be worked out', async (version) => {
  const prices = await book(version)
  expect(prices.version).toBe(version)
  expect(decimal(prices.yuanPerDollar)).toBeDefined()
  for (const { kinds, currency, models } of prices.sellers) {
    expect(['USD', 'CNY']).toContain(currency)
    for (const model of Object.keys(models)) {
      const entry = bookEntry(kinds[0] ?? 0, model, prices)
      if (entry === undefined) throw new Error(`${model} is not found`)
      for (const { usual, windows } of pricesOver(entry)) {
        for (const { rates } of [usual, ...usual.tiers, ...windows])
          expect(rates.input, model).toBeGreaterThanOrEqual(0n)
      }
      // A list also shows a price of 0 when it does not know the price.
      const isFree = entry.row.input === '0' && entry.row.units === undefined
      expect(!isFree || model.endsWith(':free') || entry.row.use === 'classifier', model).toBe(true)
    }
  }
})

test('versions are requested by name, newest first', async () => {
  expect(BOOK_VERSIONS.toSorted().toReversed()).toEqual(BOOK_VERSIONS)
  expect(BOOK_VERSIONS[0]).toBe(BOOK_VERSION)
  expect(await bookOfVersion('1999-01-01')).toBeUndefined()
  expect(await bookOfVersion('constructor')).toBeUndefined()
  expect(bookEntry(36, 'deepseek-v4-pro', await book('2026-11-20'))?.row.input).toBe('1.32')
})

describe('the current book', () => {
  // Dollars per million tokens: input, output, cached input; from the vendors' own pages in November 2026.
  test.each([
    [1, 'gpt-4o', 2.5, 10, 1.25],
    [1, 'gpt-4o-mini', 0.15, 0.6, 0.075],
    [1, 'gpt-4.1-nano', 0.1, 0.4, 0.025],
    [1, 'o3', 2, 8, 0.5],
    [1, 'gpt-5', 1.25, 10, 0.125],
    [1, 'gpt-5.4', 2.5, 15, 0.25],
    [1, 'gpt-6.1-sol', 2, 10, 0.1],
    [14, 'claude-haiku-4-5', 1, 5, 0.1],
    [14, 'claude-sonnet-5-5', 2, 10, 0.1],
    [14, 'claude-opus-5-5', 4, 20, 0.2],
    [24, 'gemini-2.5-pro', 1.25, 10, 0.125],
    [24, 'gemini-3.8-flash', 0.75, 3.75, 0.075],
    [25, 'kimi-k3.1-pro', 2, 10, 0.2],
    [16, 'glm-5.3-flash', 0.15, 0.5, 0.03],
    [45, 'grok-4.7', 2, 6, 0.5],
    [27, 'MiniMax-M3', 0.3, 1.2, 0.06],
    [28, 'codestral-2508', 0.3, 0.9, 0.03],
  ] as const)('sells on type %i %s at its list price', (kind, model, input, output, cached) => {
    const price = modelPrice(kind, model, new Map())
    if (price === 'missing') throw new Error(`${model} has no price`)
    expect(quoteAt(price, TODAY).rates).toMatchObject({
      input: usd(input),
      output: usd(output),
      cachedInput: usd(cached),
    })
  })

  test('prices more than text', () => {
    const unitsOf = (kind: number, model: string): unknown => {
      const price = modelPrice(kind, model, new Map())
      return price === 'missing' ? price : quoteAt(price, TODAY).rates.units
    }
    const dollar = 500_000n * 1_000_000_000n
    // An hour, a million characters, a picture, a million audio tokens.
    expect(unitsOf(1, 'whisper-1')).toEqual({ audio_ms: (dollar * 36n) / 100n / 3_600_000n })
    expect(unitsOf(1, 'tts-1')).toEqual({ character: (dollar * 15n) / 1_000_000n })
    expect(unitsOf(1, 'dall-e-3')).toEqual({ image: (dollar * 4n) / 100n })
    expect(unitsOf(1, 'gpt-realtime')).toMatchObject({ audio_input: usd(32), audio_output: usd(64) })
    expect(unitsOf(1, 'gpt-image-1')).toMatchObject({ image_input: usd(10) })
  })

  test('charges dearer hours by the start of the request, and never on Beijing’s weekends', () => {
    const price = modelPrice(36, 'deepseek-v4-pro', new Map())
    if (price === 'missing') throw new Error('no price')
    // A Friday: 10:30 in Beijing, then the evening; then a Saturday.
    expect(quoteAt(price, Date.parse('2026-11-20T02:30:00Z'))).toMatchObject({
      rates: { input: usd(1.32) },
      source: `book:${BOOK_VERSION};window:peak hours`,
    })
    expect(quoteAt(price, Date.parse('2026-11-20T12:30:00Z')).rates.input).toBe(usd(0.66))
    expect(quoteAt(price, Date.parse('2026-11-21T02:30:00Z')).rates.input).toBe(usd(0.66))
  })

  test('changes announced prices on their day', () => {
    const price = modelPrice(24, 'gemini-3.8-flash', new Map())
    if (price === 'missing') throw new Error('no price')
    expect(quoteAt(price, Date.parse('2026-12-31T23:59:59Z')).rates.input).toBe(usd(0.75))
    expect(quoteAt(price, Date.parse('2027-01-01T00:00:00Z')).rates.input).toBe(usd(1.5))
  })

  test('prices long prompts as each vendor does: from the threshold on, or beyond it', () => {
    const tiersOf = (kind: number, model: string): readonly number[] => {
      const price = modelPrice(kind, model, new Map())
      return price === 'missing' ? [] : quoteAt(price, TODAY).tiers.map(({ fromInput }) => fromInput)
    }
    expect(tiersOf(1, 'gpt-6-sol')).toEqual([272_000])
    expect(tiersOf(45, 'grok-4.6')).toEqual([200_000])
    expect(tiersOf(24, 'gemini-2.5-pro')).toEqual([200_001])
  })

  test('has no model under two names that mean the same day’s version', () => {
    const openai = CURRENT_BOOK.sellers.find(({ kinds }) => kinds[0] === 1)?.models ?? {}
    expect(openai).not.toHaveProperty('gpt-4o-2024-08-06')
    // Its price differs from the plain name's.
    expect(openai).toHaveProperty('gpt-4o-2024-05-13')
  })
})
