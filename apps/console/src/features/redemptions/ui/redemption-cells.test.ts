import { expect, test } from 'vitest'
import { redemptionStatus, toggledStatus } from './redemption-cells.tsx'

test('1 is unused, 2 disabled, 3 used, anything else unknown', { tags: ['B3.7', 'B4.5'] }, () => {
  expect([0, 1, 2, 3, 4].map((status) => redemptionStatus({ status, expired_time: 0 }, 1_000).name)).toEqual([
    'unknown',
    'unused',
    'disabled',
    'used',
    'unknown',
  ])
})

test('an unused code has expired from that second on', () => {
  const at = (now: number) => redemptionStatus({ status: 1, expired_time: 1_000 }, now).name
  expect([at(999), at(1_000)]).toEqual(['unused', 'expired'])
  expect(redemptionStatus({ status: 3, expired_time: 1_000 }, 2_000).name).toBe('used')
})

test('the switch goes between 1 and 2 and leaves a used code alone', { tags: 'B4.6' }, () => {
  expect([1, 2, 3].map(toggledStatus)).toEqual([2, 1, undefined])
})
