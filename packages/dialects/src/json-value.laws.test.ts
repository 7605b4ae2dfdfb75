import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from './json-value.ts'

test('real texts are read as JSON.parse reads them, however long they are', () => {
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

test('text that is not JSON is undefined', () => {
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
