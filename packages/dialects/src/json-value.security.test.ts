import { expect, test } from 'vitest'
import { parseJson } from './json-value.ts'

const nested = (depth: number, inside: string): string =>
  `${'[{"a":'.repeat(depth / 2)}${inside}${'}]'.repeat(depth / 2)}`

// S27: code that serializes such a value would overflow the stack.
test('a provider’s message that nests without end is not read', { tags: 'S27' }, () => {
  expect(parseJson(nested(100_000, '1'))).toBeUndefined()
  expect(parseJson(`{"text":"x","more":${nested(514, '1')}}`)).toBeUndefined()
})

test('what is read can be written again', { tags: 'S27' }, () => {
  expect(JSON.stringify(parseJson(nested(512, '1')))).toBe(nested(512, '1'))
})

test('brackets in texts do not count', { tags: 'S27' }, () => {
  const text = `{"text":"${'[{'.repeat(1_000)}","quote":"\\"${'[{'.repeat(1_000)}\\\\","open":"\\\\"}`
  expect(parseJson(text)).toStrictEqual(JSON.parse(text))
})
