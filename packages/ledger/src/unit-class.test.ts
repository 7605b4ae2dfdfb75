import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeCounts, decodeRates, encodeUnits, outputUnits, promptUnits, UNIT_CLASSES } from './unit-class.ts'

const counts = fc.dictionary(fc.constantFrom(...UNIT_CLASSES), fc.nat())
const rates = fc.dictionary(fc.constantFrom(...UNIT_CLASSES), fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }))

test('counts and rates are read as they were written, and none is null', () => {
  fc.assert(
    fc.property(counts, rates, (given, prices) => {
      expect(decodeCounts(encodeUnits(given)) ?? {}).toEqual(given)
      expect(decodeRates(encodeUnits(prices)) ?? {}).toEqual(prices)
    }),
  )
  expect(encodeUnits(undefined)).toBeNull()
  expect(encodeUnits({})).toBeNull()
})

test('the text does not depend on the order in which units were counted', () => {
  expect(encodeUnits({ search: 2, audio_input: 1 })).toBe('{"audio_input":"1","search":"2"}')
  expect(encodeUnits({ audio_input: 1, search: 2 })).toBe('{"audio_input":"1","search":"2"}')
})

test('tokens among the units belong to the prompt or to the answer, and nothing else does', () => {
  const each = Object.fromEntries(UNIT_CLASSES.map((name) => [name, 1]))
  expect(promptUnits(each)).toBe(5)
  expect(outputUnits(each)).toBe(3)
  expect(promptUnits(undefined) + outputUnits(undefined)).toBe(0)
})
