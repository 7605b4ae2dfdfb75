import { expect, test } from 'vitest'
import { formatOrder, formatRatio } from './groups.ts'

test('a ratio is a factor, and one that is not known a dash', () => {
  expect([0.8, 1, Number.NaN].map(formatRatio)).toEqual(['×0.8', '×1', '—'])
})

test('groups are named in the order in which they are tried', () => {
  expect(formatOrder(['vip', 'default'])).toBe('vip → default')
})
