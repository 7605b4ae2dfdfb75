import { describe, expect, it } from 'vitest'
import { channelStatus, testState, balanceText } from './channel-cells.tsx'

it.each([
  [1234.5, 'USD', '$1,234.50'],
  [-3, 'CNY', '-¥3.00'],
  [1_000_000, 'points', '1,000,000 points'],
  [7, '', '7'],
])('%d %s reads %s', (balance, currency, text) => {
  expect(balanceText(balance, currency)).toBe(text)
})

describe('channel status', () => {
  it.each([
    [1, 0, 'active'],
    [1, 5, 'active'],
    [1, -1, 'paused'],
    [2, 0, 'disabled'],
    [2, -1, 'disabled'],
    [3, 0, 'disabled'],
    [0, 0, 'active'],
  ])('%d with priority %d reads %s', { tags: 'B4.3' }, (status, priority, name) => {
    expect(channelStatus({ status, priority }).name).toBe(name)
  })
})

describe('last test', () => {
  it.each([
    [0, 0, { state: 'never' }],
    [0, 1_700_000_000, { state: 'failed' }],
    [420, 1_700_000_000, { state: 'answered', milliseconds: 420 }],
  ])('%d ms at %d', (response_time, test_time, expected) => {
    expect(testState({ response_time, test_time })).toEqual(expected)
  })
})
