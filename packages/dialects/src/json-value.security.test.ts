import { expect, test } from 'vitest'
import { parseJson } from './json-value.ts'

const nested = (depth: number, inside: string): string =>
  `${'[{"a":'.repeat(depth / 2)}${inside}${'}]'.repeat(depth / 2)}`

// S27: whoever writes such a value again would run out of stack.
test('S27 a provider’s message that nests without end is not read', () => {
  expect(parseJson(nested(100_000, '1'))).toBeUndefined()
  expect(parseJson(`{"text":"x","more":${nested(514, '1')}}`)).toBeUndefined()
})

test('S27 what may be read may be written again', () => {
  expect(JSON.stringify(parseJson(nested(512, '1')))).toBe(nested(512, '1'))
})

test('S27 brackets in texts do not count', () => {
  const text = `{"text":"${'[{'.repeat(1_000)}","quote":"\\"${'[{'.repeat(1_000)}\\\\","open":"\\\\"}`
  expect(parseJson(text)).toStrictEqual(JSON.parse(text))
})
