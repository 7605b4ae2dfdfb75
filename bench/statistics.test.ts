import { expect, it } from 'vitest'
import { median, percentile } from './statistics.ts'

it('takes the middle of the sorted values', () => {
  expect(median([9, 1, 5])).toBe(5)
  expect(median([4, 1, 2, 3])).toBe(2.5)
  expect(median([])).toBeNaN()
})

it('interpolates between ranks', () => {
  const hundred = Array.from({ length: 101 }, (_, at) => at)
  expect(percentile(hundred, 0.99)).toBe(99)
  expect(percentile([0, 10], 0.25)).toBe(2.5)
})
