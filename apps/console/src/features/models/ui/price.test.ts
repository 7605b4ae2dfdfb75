import { expect, test } from 'vitest'
import { formatPrice, formatTokens } from './price.tsx'

test.each([
  [0, undefined],
  [0.000_4, '$0.000400'],
  [0.000_999_9, '$0.001000'],
  [0.001, '$0.0010'],
  [0.075, '$0.0750'],
  [0.999_9, '$0.9999'],
  [1, '$1.00'],
  [2.5, '$2.50'],
  [1_234.567, '$1234.57'],
] as const)('a price of %d is written as %s', { tags: 'C9.3' }, (dollars, text) => {
  expect(formatPrice(dollars)).toBe(text)
})

test.each([
  [0, undefined],
  [512, '512'],
  [999, '999'],
  [1_000, '1K'],
  [4_096, '4.1K'],
  [128_000, '128K'],
  [999_950, '1M'],
  [1_048_576, '1M'],
  [2_500_000, '2.5M'],
] as const)('%d tokens are written as %s', { tags: 'C9.4' }, (tokens, text) => {
  expect(formatTokens(tokens)).toBe(text)
})
