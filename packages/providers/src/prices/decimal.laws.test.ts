import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimal, decimalOfNumber, divideUp, multiply, quotientText, scaledUp } from './decimal.ts'

const written = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.nat(12)).map(([digits, scale]) => {
  const text = digits.toString().padStart(scale + 1, '0')
  return { digits, scale, text: scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}` }
})

test('a decimal text is read exactly', () => {
  fc.assert(
    fc.property(written, ({ digits, scale, text }) => {
      expect(decimal(text)).toStrictEqual({ digits, scale })
    }),
  )
})

test('a JSON number is read as it was written, up to 15 digits', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), fc.nat(20), (digits, scale) => {
      const value = decimalOfNumber(Number(`${digits}e-${scale}`))
      if (value === undefined) throw new Error('not read')
      expect(value.digits * 10n ** BigInt(scale)).toBe(digits * 10n ** BigInt(value.scale))
    }),
  )
})

test('products are exact, and rounding goes up by less than one', () => {
  fc.assert(
    fc.property(written, written, fc.nat(12), (a, b, power) => {
      const product = multiply(a, b)
      expect(product.digits).toBe(a.digits * b.digits)
      const scaled = scaledUp(product, power)
      const exact = product.digits * 10n ** BigInt(power)
      const unit = 10n ** BigInt(product.scale)
      expect(scaled * unit).toBeGreaterThanOrEqual(exact)
      expect((scaled - 1n) * unit).toBeLessThan(exact === 0n ? 1n : exact)
    }),
  )
})

test('a quotient written down and multiplied back, rounded up, is the dividend', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.bigInt({ min: 1n, max: 10n ** 12n }), (a, b) => {
      const quotient = decimal(quotientText(a, b, 12))
      if (quotient === undefined) throw new Error('not read')
      expect(divideUp(quotient.digits * b, 10n ** BigInt(quotient.scale))).toBe(a)
    }),
  )
})

test.each(['', '-1', '1.', '.5', '1e', '0x1', 'NaN', '1e99', ' 1', '9'.repeat(65)])('%j is not a price', (text) => {
  expect(decimal(text)).toBeUndefined()
})

test('negative and infinite numbers are not prices', () => {
  for (const value of [-1, Number.NaN, Infinity, 1e300]) expect(decimalOfNumber(value)).toBeUndefined()
  expect(decimalOfNumber(1e-7)).toStrictEqual({ digits: 1n, scale: 7 })
})
