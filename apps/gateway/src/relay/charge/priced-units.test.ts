import type { TokenCounts } from '@sluice/dialects/token-counts'
import { chargeable } from '@sluice/providers/prices/chargeable'
import type { Rates } from '@sluice/providers/prices/quote'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainCounts } from '../calls/parsed-call.ts'
import { inPricedUnits, withPieces } from './priced-units.ts'

const TOKENS: Rates = { input: 1n, cachedInput: 1n, cacheWrite5m: 1n, cacheWrite1h: 1n, output: 2n }
const priced = (...names: string[]): Rates => ({
  ...TOKENS,
  units: Object.fromEntries(names.map((name) => [name, 5n])),
})
const used = (units: TokenCounts['units'], input = 0): TokenCounts => ({ ...plainCounts(input, 0), units })

test('usage with a price of its own is left alone', () => {
  const all = priced('image', 'character', 'audio_ms')
  for (const units of [{ image: 2 }, { character: 7 }, { audio_ms: 900 }]) {
    expect(inPricedUnits(used(units), all)).toEqual(used(units))
  }
  expect(inPricedUnits(plainCounts(1, 2), TOKENS)).toEqual(plainCounts(1, 2))
})

test('a character costs a token, or the sound that is made from it', () => {
  expect(inPricedUnits(used({ character: 7 }), TOKENS).input).toBe(7)
  expect(inPricedUnits(used({ character: 7 }), priced('audio_output')).units).toMatchObject({ audio_output: 14 })
})

test('a picture costs a thousand tokens, a second ten', () => {
  expect(inPricedUnits(used({ image: 3 }, 5), TOKENS).input).toBe(3_005)
  expect(inPricedUnits(used({ audio_ms: 1_050 }), TOKENS).units).toMatchObject({ audio_input: 11 })
})

test('usage that counts tokens of its kind is not counted again', () => {
  expect(inPricedUnits(used({ image: 3, image_output: 9 }), TOKENS)).toEqual(used({ image: 3, image_output: 9 }))
  expect(inPricedUnits(used({ audio_ms: 900, audio_input: 9 }), TOKENS)).toEqual(
    used({ audio_ms: 900, audio_input: 9 }),
  )
})

test('usage is never free because the price counts in other units', () => {
  const units = fc.constantFrom('image', 'character', 'audio_ms')
  fc.assert(
    fc.property(
      units,
      fc.integer({ min: 1, max: 1e6 }),
      fc.subarray(['audio_output', 'call', 'image']),
      (unit, n, names) => {
        const rates = priced(...names)
        const counts = chargeable(inPricedUnits(used({ [unit]: n }), rates), rates)
        const total =
          counts.input + counts.output + Object.values(counts.units ?? {}).reduce((sum, each) => sum + each, 0)
        expect(total).toBeGreaterThan(0)
      },
    ),
  )
})

test('where each call has a price, every request counts as one call', () => {
  expect(inPricedUnits(plainCounts(3, 4), priced('call'))).toEqual({ ...plainCounts(3, 4), units: { call: 1 } })
  expect(inPricedUnits(used({ image: 2 }), priced('call', 'image')).units).toEqual({ image: 2, call: 1 })
  expect(inPricedUnits(plainCounts(3, 4), TOKENS).units).toBeUndefined()
})

test('tokens that cost nothing do not hide the pieces that cost something', () => {
  const parsed = { ownCounts: () => used({ character: 7 }) }
  const free = { ...priced('character'), input: 0n, output: 0n }
  const counted = used({ audio_output: 9 }, 4)
  expect(withPieces(counted, free, parsed)).toEqual(used({ audio_output: 9, character: 7 }, 4))
  expect(withPieces(counted, priced('character'), parsed)).toBe(counted)
  expect(withPieces(counted, TOKENS, parsed)).toBe(counted)
  expect(withPieces(used({ character: 3 }), free, parsed)).toEqual(used({ character: 3 }))
})
