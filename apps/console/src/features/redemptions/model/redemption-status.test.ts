import { expect, test } from 'vitest'
import { redemptionStatus, toggledStatus } from './redemption-status.ts'

test('1 is unused, 2 disabled, 3 used, anything else unknown', { tags: ['B3.7', 'B4.5'] }, () => {
  expect([0, 1, 2, 3, 4].map((status) => redemptionStatus(status).name)).toEqual([
    'unknown',
    'unused',
    'disabled',
    'used',
    'unknown',
  ])
})

test('the switch goes between 1 and 2 and leaves a used code alone', { tags: 'B4.6' }, () => {
  expect([1, 2, 3].map(toggledStatus)).toEqual([2, 1, undefined])
})
