import { describe, expect, test } from 'vitest'
import { bookText } from './book-text.ts'
import { mergeSeller } from './merge.ts'
import { text } from './money.ts'
import { fromRoundThresholds, namesOf, rowOfGenai } from './read-genai.ts'
import { rowOfPi } from './read-pi-ai.ts'

const DAY = '2026-11-21'
const genai = (prices: Parameters<typeof rowOfGenai>[0]['prices'], more = {}) =>
  rowOfGenai({ id: 'm', match: { equals: 'm' }, prices, ...more }, DAY)

test('prices are written without exponents and without the noise of floating-point numbers', () => {
  expect([0.1 + 0.2, 1e-7, 2.5, 0].map(text)).toEqual(['0.3', '0.0000001', '2.5', '0'])
})

describe('pi-ai', () => {
  const cost = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }

  test('a cache price of 0 means none, and Anthropic’s one-hour writes cost twice the input', () => {
    expect(rowOfPi({ id: 'claude-x', type: 'chat', cost }, false)).toEqual({
      input: '3',
      output: '15',
      cachedInput: '0.3',
      cacheWrite5m: '3.75',
      cacheWrite1h: '6',
    })
    const plain = { ...cost, cacheRead: 0, cacheWrite: 0 }
    expect(rowOfPi({ id: 'gpt-x', type: 'chat', cost: plain }, false)).toEqual({ input: '3', output: '15' })
  })

  test('a threshold is exceeded or reached, as the vendor defines it', () => {
    const tiered = { ...cost, tiers: [{ ...cost, inputTokensAbove: 200_000 }] }
    const fromInput = (isInclusive: boolean) =>
      rowOfPi({ id: 'm', type: 'chat', cost: tiered }, isInclusive)?.tiers?.[0]?.fromInput
    expect([fromInput(false), fromInput(true)]).toEqual([200_001, 200_000])
  })

  test('a price of zero means unknown, unless the model is free by name', () => {
    const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
    expect(rowOfPi({ id: 'auto', type: 'chat', cost: nothing }, false)).toBeUndefined()
    expect(rowOfPi({ id: 'm:free', type: 'chat', cost: nothing }, false)).toMatchObject({ input: '0' })
    expect(rowOfPi({ id: 'm', type: 'classifier', cost }, false)).toBeUndefined()
  })
})

describe('genai-prices', () => {
  test('tiers of single classes become tiers of all', () => {
    expect(genai({ input_mtok: { base: 1, tiers: [{ start: 100, price: 2 }] }, output_mtok: 3 })).toEqual({
      input: '1',
      output: '3',
      tiers: [{ fromInput: 101, input: '2', output: '3' }],
    })
  })

  test('the price of the day is used, and announced prices apply later', () => {
    const at = (start_date: string) => ({ constraint: { type: 'start_date' as const, start_date } })
    expect(
      genai([
        { prices: { input_mtok: 1 } },
        { ...at('2026-06-01'), prices: { input_mtok: 2 } },
        { ...at('2027-01-01'), prices: { input_mtok: 3 } },
      ]),
    ).toEqual({ input: '2', later: [{ from: '2027-01-01', input: '3' }] })
  })

  test('hours with the same prices are one window', () => {
    const from = (start_time: string, end_time: string) => ({
      constraint: { type: 'time_of_date' as const, start_time, end_time },
      prices: { input_mtok: 2 },
    })
    expect(
      genai([{ prices: { input_mtok: 1 } }, from('01:00:00Z', '04:00:00Z'), from('06:00:00Z', '10:00:00Z')]),
    ).toEqual({
      input: '1',
      windows: [
        {
          name: '01:00-04:00 UTC 06:00-10:00 UTC',
          timezone: 'UTC',
          ranges: [
            { start: '01:00', end: '04:00' },
            { start: '06:00', end: '10:00' },
          ],
          input: '2',
        },
      ],
    })
  })

  test('other units are priced in units of the book, and a model with an unknown one is left out', () => {
    expect(genai({ audio_hours: 0.36, web_searches_kcount: 10 })).toEqual({
      units: { audio_ms: '0.36', search: '0.01' },
    })
    expect(genai({ input_mtok: 1, output_video_mtok: 17 })).toBeUndefined()
  })

  test('names are those that a model must equal', () => {
    const match = { or: [{ equals: 'a' }, { or: [{ equals: 'b' }] }, {}] }
    expect(namesOf({ id: 'a', match, prices: {} })).toEqual(['a', 'b'])
  })

  test('a vendor’s round threshold is reached, not exceeded', () => {
    expect(fromRoundThresholds({ tiers: [{ fromInput: 272_001, input: '4' }] }).tiers?.[0]?.fromInput).toBe(272_000)
    expect(fromRoundThresholds({ tiers: [{ fromInput: 272_000 }] }).tiers?.[0]?.fromInput).toBe(272_000)
  })
})

describe('merging', () => {
  const none = { pi: {}, genai: {}, overlay: {}, deprecated: new Set<string>() }

  test('the overlay wins over pi-ai, pi-ai over genai-prices, and every difference is reported', () => {
    const { models, differences } = mergeSeller(
      {
        ...none,
        pi: { m: { input: '2', output: '8', tiers: [{ fromInput: 9, input: '4' }] } },
        genai: { m: { input: '1', output: '8', units: { search: '0.01' } } },
        overlay: { m: { input: '3', output: '8' } },
      },
      DAY,
    )
    // Tiers that belong to another price are dropped with it.
    expect(models).toEqual({ m: { input: '3', output: '8', units: { search: '0.01' } } })
    expect(differences).toEqual(['m: pi-ai 2/8, genai-prices 1/8', 'm: overlay 3/8, generated 2/8'])
  })

  test('what genai-prices knows in addition is kept where both agree', () => {
    const later = [{ from: '2027-01-01', input: '9' }]
    const { models } = mergeSeller(
      {
        ...none,
        pi: { m: { input: '1', output: '2', maxOutput: 5, context: 10 } },
        genai: { m: { input: '1', output: '2', context: 20, later } },
      },
      DAY,
    )
    expect(models).toEqual({ m: { input: '1', output: '2', maxOutput: 5, context: 20, later } })
  })

  test('models that the fresh list no longer has keep their price, and leave the lists of live ones', () => {
    const { models } = mergeSeller({ ...none, pi: { a: { input: '1' } }, genai: { old: { input: '1' } } }, DAY)
    expect(models).toEqual({ a: { input: '1' }, old: { input: '1', retires: DAY } })
  })

  test('a dated name with the price of the plain one needs no row', () => {
    const { models } = mergeSeller(
      { ...none, pi: { m: { input: '1' }, 'm-2026-01-02': { input: '1' }, 'm-2025-01-02': { input: '2' } } },
      DAY,
    )
    expect(Object.keys(models)).toEqual(['m', 'm-2025-01-02'])
  })
})

test('a book has one line per model', () => {
  const seller = { kinds: [1], currency: 'USD' as const, models: { a: { input: '1' }, b: { input: '2' } } }
  const written = bookText({ version: DAY, yuanPerDollar: '7.2', sources: [], sellers: [seller] })
  expect(JSON.parse(written)).toEqual({ version: DAY, yuanPerDollar: '7.2', sources: [], sellers: [seller] })
  expect(written.split('\n').filter((line) => line.includes('"input"'))).toHaveLength(2)
})
