import { expect, test } from 'vitest'
import { unpricedQuote } from './unpriced.ts'

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
