import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exactQuota, fitsInt64, mq, mqFromQuota, quotaText, wholeCharge, wholeQuota } from './units.ts'

describe('money units', () => {
  it('turn quota into thousandths and back, up to both ends of what JSON can carry', () => {
    for (const quota of [0, 1, -1, 500_000, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
      expect(mqFromQuota(quota)).toBe(BigInt(quota) * 1_000n)
      expect(wholeQuota(mqFromQuota(quota))).toBe(quota)
      expect(fitsInt64(mqFromQuota(quota))).toBe(true)
    }
  })

  it('refuse quota that is not a safe integer', () => {
    for (const quota of [0.5, NaN, Infinity, Number.MAX_SAFE_INTEGER + 1]) {
      expect(() => mqFromQuota(quota)).toThrow(RangeError)
    }
  })

  it('show no one quota that they do not have', () => {
    expect([999n, 1_000n, 1_999n, -1n, -1_000n, -1_001n].map((amount) => wholeQuota(mq(amount)))).toEqual([
      0, 1, 1, -1, -1, -2,
    ])
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 62n), 2n ** 62n), (amount) => {
        const shown = amount / 1_000n - (amount < 0n && amount % 1_000n !== 0n ? 1n : 0n)
        expect(wholeQuota(mq(amount))).toBe(Number(shown))
      }),
    )
  })

  it('make what is left and what was spent add up to the whole that was given', () => {
    expect([1n, 1_000n, 0n, -500n].map((amount) => wholeCharge(mq(amount)))).toEqual([1, 1, 0, 0])
    fc.assert(
      fc.property(fc.integer({ min: 0 }), fc.bigInt(0n, 2n ** 62n), (given, spent) => {
        const left = mq(mqFromQuota(given) - spent)
        expect(BigInt(wholeQuota(left)) + BigInt(wholeCharge(mq(spent)))).toBe(BigInt(given))
      }),
    )
  })

  it('are written exactly as text', () => {
    expect([1n, 20_005n, -500n, 2_000n].map((amount) => quotaText(mq(amount)))).toEqual([
      '0.001',
      '20.005',
      '-0.5',
      '2',
    ])
  })

  it('show the amount of one row to three decimals', () => {
    expect([1n, 20_005n, -500n].map((amount) => exactQuota(mq(amount)))).toEqual([0.001, 20.005, -0.5])
  })

  it('know what a 64-bit column can hold', () => {
    const [most, least] = [2n ** 63n - 1n, -(2n ** 63n)]
    expect([most, least, 0n].every(fitsInt64)).toBe(true)
    expect([most + 1n, least - 1n].some(fitsInt64)).toBe(false)
  })
})
