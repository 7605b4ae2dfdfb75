import { expect, it } from 'vitest'
import { balanceText } from './balance-text.ts'

it.each([
  [1234.5, 'USD', '$1,234.50'],
  [-3, 'CNY', '-¥3.00'],
  [1_000_000, 'points', '1,000,000 points'],
  [7, '', '7'],
])('%d %s reads %s', (balance, currency, text) => {
  expect(balanceText(balance, currency)).toBe(text)
})
