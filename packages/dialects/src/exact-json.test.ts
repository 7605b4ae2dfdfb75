import { expect, test } from 'vitest'
import { parseExact } from './exact-json.ts'
import { asObject } from './json-value.ts'

test.each([
  '{"id":1234567890123456789}',
  '[18446744073709551615,-9223372036854775809,1e400,-1E+999]',
  '1234567890123456789',
  '{"a":{"b":[9007199254740993]}}',
])('%s is serialized as it came', (text) => {
  expect(JSON.stringify(parseExact(text))).toBe(text)
})

test('a number that a double holds is a number', () => {
  const text = '[1,9007199254740991,12345678901234567000,0.12345678901234567,1e300,1e-400,"1234567890123456789"]'
  expect(parseExact(text)).toStrictEqual(JSON.parse(text))
})

test('a number that is kept as it came is not an object', () => {
  expect(asObject(parseExact('1234567890123456789'))).toBeUndefined()
})

test('text that is not JSON is thrown as JSON.parse throws it', () => {
  expect(() => parseExact('{"id":1234567890123456789')).toThrow(SyntaxError)
})
