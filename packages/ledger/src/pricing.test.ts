import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { charge, type Price, priceContent, savedByCache, type TokenCounts } from './pricing.ts'

const FREE: Price = {
  rates: { input: 0n, cachedInput: 0n, cacheWrite5m: 0n, cacheWrite1h: 0n, output: 0n },
  groupRatio: 1_000_000n,
  source: 'book:test',
}
const NOTHING: TokenCounts = { input: 0, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 }

describe('the price of a request', () => {
  it('is each class of tokens at its own rate', () => {
    // $3 and $15 per million tokens are 1.5 and 7.5 quota per token; cached input costs a tenth, cache writes 1.25 and 2 times.
    const rates = {
      input: 1_500_000_000n,
      cachedInput: 150_000_000n,
      cacheWrite5m: 1_875_000_000n,
      cacheWrite1h: 3_000_000_000n,
      output: 7_500_000_000n,
    }
    const price = { ...FREE, rates }
    const one = (counts: Partial<TokenCounts>): bigint => charge({ ...NOTHING, ...counts }, price)
    expect(one({ input: 1 })).toBe(1_500n)
    expect(one({ cachedInput: 1 })).toBe(150n)
    expect(one({ cacheWrite5m: 1 })).toBe(1_875n)
    expect(one({ cacheWrite1h: 1 })).toBe(3_000n)
    expect(one({ output: 1 })).toBe(7_500n)
    expect(one({ input: 1_000, cachedInput: 500, output: 200 })).toBe(1_500_000n + 75_000n + 1_500_000n)
  })

  it('counts reasoning as part of the output, once', () => {
    const price = { ...FREE, rates: { ...FREE.rates, output: 1_000_000_000n } }
    expect(charge({ ...NOTHING, output: 10, reasoning: 8 }, price)).toBe(10_000n)
  })

  it('is rounded up once, at the end, to a thousandth of a quota', () => {
    // 0.0000001 quota per token: three tokens of three classes are still one thousandth, not three.
    const price = { ...FREE, rates: { ...FREE.rates, input: 100n, cachedInput: 100n, output: 100n } }
    expect(charge({ ...NOTHING, input: 1, cachedInput: 1, output: 1 }, price)).toBe(1n)
    expect(charge({ ...NOTHING, input: 10_000 }, price)).toBe(1n)
    expect(charge({ ...NOTHING, input: 10_001 }, price)).toBe(2n)
  })

  it('follows the group ratio in millionths', () => {
    const price = { ...FREE, rates: { ...FREE.rates, input: 1_000_000_000n } }
    expect(charge({ ...NOTHING, input: 100 }, { ...price, groupRatio: 800_000n })).toBe(80_000n)
    expect(charge({ ...NOTHING, input: 100 }, { ...price, groupRatio: 0n })).toBe(0n)
  })

  it('is zero for a free model and for no tokens', () => {
    expect(charge({ ...NOTHING, input: 1_000_000 }, FREE)).toBe(0n)
    expect(charge(NOTHING, { ...FREE, rates: { ...FREE.rates, input: 10n ** 18n } })).toBe(0n)
  })

  it('is exact where a float would not be, at both ends', () => {
    const price = { ...FREE, rates: { ...FREE.rates, input: 1n, output: 2n ** 63n - 1n } }
    expect(charge({ ...NOTHING, input: 1 }, price)).toBe(1n)
    const tokens = { ...NOTHING, output: Number.MAX_SAFE_INTEGER }
    const atoms = BigInt(Number.MAX_SAFE_INTEGER) * (2n ** 63n - 1n) * 1_000_000n
    expect(charge(tokens, price)).toBe((atoms + 10n ** 12n - 1n) / 10n ** 12n)
  })

  it('never falls when tokens, rates or the ratio grow', () => {
    const count = fc.nat({ max: 10_000_000 })
    const rate = fc.bigInt(0n, 10n ** 12n)
    fc.assert(
      fc.property(
        count,
        count,
        rate,
        rate,
        fc.bigInt(0n, 10n ** 7n),
        (input, output, inputRate, outputRate, groupRatio) => {
          const cost = (more: number, dearer: bigint, ratio: bigint): bigint =>
            charge(
              { ...NOTHING, input: input + more, output },
              { ...FREE, rates: { ...FREE.rates, input: inputRate + dearer, output: outputRate }, groupRatio: ratio },
            )
          const base = cost(0, 0n, groupRatio)
          expect(base >= 0n).toBe(true)
          expect(cost(1, 0n, groupRatio) >= base).toBe(true)
          expect(cost(0, 1n, groupRatio) >= base).toBe(true)
          expect(cost(0, 0n, groupRatio + 1n) >= base).toBe(true)
        },
      ),
    )
  })

  it('is stored under a text that differs whenever the charge can', () => {
    const contents = [
      FREE,
      { ...FREE, groupRatio: 1n },
      { ...FREE, source: 'channel:1' },
      ...Object.keys(FREE.rates).map((name) => ({ ...FREE, rates: { ...FREE.rates, [name]: 1n } })),
    ].map(priceContent)
    expect(new Set(contents).size).toBe(contents.length)
    expect(priceContent({ ...FREE, rates: { ...FREE.rates } })).toBe(priceContent(FREE))
  })
})

describe('what a cache saves', () => {
  const rate = fc.bigInt({ min: 0n, max: 20_000_000_000n })
  const count = fc.integer({ min: 0, max: 1_000_000 })

  it('is what the same tokens would have cost more at the full price', () => {
    fc.assert(
      fc.property(rate, rate, rate, fc.bigInt({ min: 0n, max: 3_000_000n }), count, count, count, (...drawn) => {
        const [input, cachedInput, output, groupRatio, read, cached, written] = drawn
        const price = { ...FREE, rates: { ...FREE.rates, input, cachedInput, output }, groupRatio }
        const tokens = { ...NOTHING, input: read, cachedInput: cached, output: written }
        const full = charge({ ...tokens, input: read + cached, cachedInput: 0 }, price)
        const saved = savedByCache(tokens, price)
        if (cachedInput < input) expect(charge(tokens, price) + saved).toBe(full)
        else expect(saved).toBe(0n)
      }),
    )
  })

  it('stays in the range of a sum, whatever a model costs', () => {
    const price = { ...FREE, rates: { ...FREE.rates, input: 2n ** 63n - 1n } }
    expect(savedByCache({ ...NOTHING, cachedInput: 2 ** 40 }, price)).toBe(2n ** 40n)
  })
})
