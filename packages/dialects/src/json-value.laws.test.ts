import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from './json-value.ts'

test('whatever people mean is read as JSON.parse reads it, however long it is', () => {
  const long = fc.array(fc.oneof(fc.jsonValue(), fc.constantFrom('"[', '\\', '\\"{', ']]')), {
    minLength: 20,
    maxLength: 80,
  })
  fc.assert(
    fc.property(long, fc.constantFrom(undefined, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      expect(parseJson(text)).toStrictEqual(JSON.parse(text))
    }),
    { numRuns: 300 },
  )
})

test('what is no JSON is undefined', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 2_000 }), (noise) => {
      const text = `{"a": ${noise}`
      let expected: unknown
      try {
        expected = JSON.parse(text)
      } catch {
        expected = undefined
      }
      expect(parseJson(text)).toStrictEqual(expected)
    }),
    { numRuns: 300 },
  )
})
