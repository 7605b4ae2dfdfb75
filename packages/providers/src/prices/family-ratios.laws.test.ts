import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { familyPrices, priceDifference } from './family-ratios.ts'
import { parseModelConfigs } from './model-configs.ts'
import { NO_OVERRIDES } from './price-overrides.ts'
import { modelPrice, quoteAt } from './rates.ts'

const TODAY = Date.UTC(2026, 10, 21)
/** 10^-9 quota per quota point, and ten-thousandths per unit. */
const NANO = 10n ** 9n
const PLACES = 10n ** 4n

/** A ratio with at most four decimals, in ten-thousandths. */
const ratio = fc.bigInt({ min: 0n, max: 10n ** 7n })
const multiple = fc.bigInt({ min: 0n, max: 10n ** 5n })
const written = (tenThousandths: bigint): number => Number(`${tenThousandths}e-4`)
/** Known to the book, with tiers, windows or neither, and unknown to it. */
const model = fc.constantFrom('gpt-4o', 'gemini-2.5-pro', 'claude-haiku-4-5', 'deepseek-v4-pro', 'nobody-knows-it')

test('ratios that are converted and read back are the formula of the family', () => {
  fc.assert(
    fc.property(model, ratio, multiple, multiple, multiple, (name, input, output, cached, cacheWritten) => {
      const table = (value: bigint) => new Map([[name, written(value)]])
      const { entries } = familyPrices({
        modelRatio: table(input),
        completionRatio: table(output),
        cacheRatio: table(cached),
        createCacheRatio: table(cacheWritten),
      })
      const overrides = parseModelConfigs(JSON.stringify(Object.fromEntries(entries)))
      if ('problem' in overrides) throw new Error(overrides.problem)
      const price = modelPrice(50, name, NO_OVERRIDES, overrides)
      if (price === 'missing') throw new Error('no price')
      const { rates, source } = quoteAt(price, Date.UTC(2026, 10, 21, 20))
      const product = (factor: bigint): bigint => (input * factor * NANO) / (PLACES * PLACES)
      // Eight decimals of two factors fit into the nine of a rate; the one-hour factor adds one.
      expect([
        source.split(';')[0],
        rates.input,
        rates.output,
        rates.cachedInput,
        rates.cacheWrite5m,
        rates.cacheWrite1h,
      ]).toEqual([
        'override',
        product(PLACES),
        product(output),
        product(cached),
        product(cacheWritten),
        (product(cacheWritten) * 16n) / 10n,
      ])
    }),
  )
})

test('a price per call that is converted and read back is that price, and nothing else costs anything', () => {
  fc.assert(
    fc.property(model, fc.bigInt({ min: 0n, max: 10n ** 7n }), (name, usd) => {
      const { entries } = familyPrices({
        modelRatio: new Map([[name, 1]]),
        modelPrice: new Map([[name, written(usd)]]),
      })
      const overrides = parseModelConfigs(JSON.stringify(Object.fromEntries(entries)))
      if ('problem' in overrides) throw new Error(overrides.problem)
      const price = modelPrice(50, name, NO_OVERRIDES, overrides)
      if (price === 'missing') throw new Error('no price')
      const { rates, tiers } = quoteAt(price, TODAY)
      expect([rates.units?.call, rates.input, rates.output, rates.cachedInput, rates.cacheWrite1h, tiers]).toEqual([
        (usd * 500_000n * NANO) / PLACES,
        0n,
        0n,
        0n,
        0n,
        [],
      ])
    }),
  )
})

test('the difference to the book is that of the ratio where nothing else is set', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), (percent) => {
      const entry = { ratio: Number(`${125 * percent}e-4`) }
      const found = priceDifference('gpt-4o', entry, TODAY)
      expect(found).toMatchObject({ outcome: 'compared', fraction: expect.closeTo(Math.abs(percent / 100 - 1), 9) })
    }),
  )
})
