import { expect, test } from 'vitest'
import { retirementOf } from './book.ts'

const DAY = Date.UTC(2027, 0, 14)

test('the vendor’s own kind knows the day until it arrives', () => {
  expect(retirementOf(1, 'gpt-4o', DAY - 1)).toBe('2027-01-14')
  expect(retirementOf(1, 'gpt-4o', DAY)).toBeUndefined()
  expect(retirementOf(14, 'claude-sonnet-4-5', Date.UTC(2026, 10, 22))).toBe('2026-11-30')
})

test.each([
  ['a model without a day', 1, 'gpt-6-luna'],
  ['a model that no book knows', 1, 'constructor'],
  ['Azure, which keeps days of its own', 3, 'gpt-4o'],
  ['a kind in front of anything', 50, 'gpt-4o'],
  ['an unknown type', 999, 'gpt-4o'],
])('nothing is returned for %s', (_, kind, model) => {
  expect(retirementOf(kind, model, DAY - 1)).toBeUndefined()
})
