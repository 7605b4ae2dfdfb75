import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalText, parseDecimalText } from './decimal-text.ts'
import { itemise } from './itemise.ts'
import { charge, type Price, type TokenCounts } from './pricing.ts'
import { UNIT_CLASSES } from './unit-class.ts'

const count = fc.nat(2_000_000)
const rate = fc.bigInt({ min: 0n, max: 10n ** 13n })
const classes = fc.subarray([...UNIT_CLASSES])

const tokens: fc.Arbitrary<TokenCounts> = fc
  .record({ input: count, cachedInput: count, cacheWrite5m: count, cacheWrite1h: count, output: count, names: classes })
  .chain(({ names, ...five }) =>
    fc.array(count, { minLength: names.length, maxLength: names.length }).map((counts) => ({
      ...five,
      reasoning: 0,
      units: Object.fromEntries(names.map((name, at) => [name, counts[at] ?? 0])),
    })),
  )
const price: fc.Arbitrary<Price> = fc
  .record({ input: rate, cachedInput: rate, cacheWrite5m: rate, cacheWrite1h: rate, output: rate, units: rate })
  .chain(({ units, ...rates }) =>
    fc.bigInt({ min: 0n, max: 10n ** 8n }).map((groupRatio) => ({
      rates: { ...rates, units: Object.fromEntries(UNIT_CLASSES.map((name, at) => [name, units + BigInt(at)])) },
      groupRatio,
      source: 'book:x',
    })),
  )

test('the steps of a receipt lead to the charge, to the last thousandth', () => {
  fc.assert(
    fc.property(tokens, price, (used, at) => {
      const { lines, list, exact, total } = itemise(used, at)
      expect(total).toBe(charge(used, at))
      expect(list).toBe(lines.reduce((sum, line) => sum + BigInt(line.count) * (line.rate ?? 0n), 0n))
      expect(exact).toBe(list * at.groupRatio)
      expect(total * 10n ** 12n - exact).toBeGreaterThanOrEqual(0n)
      expect(total * 10n ** 12n - exact).toBeLessThan(10n ** 12n)
    }),
  )
})

test('decimal text states a number exactly and can be read back', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n }), fc.nat(15), (value, decimals) => {
      const text = decimalText(value, decimals)
      expect(parseDecimalText(text, decimals)).toBe(value)
      expect(text).not.toMatch(/\.\d*0$|\.$|^-0$/)
    }),
  )
})

test('decimal text is refused when it has more decimals than allowed, or is anything else', () => {
  for (const text of ['1.2345', '', '.5', '5.', '1e3', '+1', ' 1', '1,000', '0x1', '٣', '1'.repeat(41)]) {
    expect(parseDecimalText(text, 3)).toBeUndefined()
  }
})
