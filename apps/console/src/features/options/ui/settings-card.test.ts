import { expect, test } from 'vitest'
import { isSameRelease, clearTimestamp, defaultClearDate } from './settings-card.tsx'

test('a release matches the running version with or without a v', () => {
  expect(isSameRelease('v1.2.0', '1.2.0')).toBe(true)
  expect(isSameRelease('1.2.0 ', 'v1.2.0')).toBe(true)
  expect(isSameRelease('v1.3.0', '1.2.0')).toBe(false)
})

const NOW = Date.UTC(2026, 10, 21, 12)

test('logs older than 720 hours are cleared unless another date is chosen', { tags: ['C2.26', 'C9.1'] }, () => {
  expect(defaultClearDate(NOW).getTime()).toBe(NOW - 30 * 24 * 3_600_000)
})

test('a date is sent in unix seconds; an invalid or future one is not sent', { tags: 'C2.27' }, () => {
  const at = new Date('2026-10-22T08:30:15')
  expect(clearTimestamp('2026-10-22T08:30:15', NOW)).toBe(at.getTime() / 1_000)
  expect(clearTimestamp('', NOW)).toBeUndefined()
  expect(clearTimestamp('2099-01-01T00:00:00', NOW)).toBeUndefined()
  expect(clearTimestamp('1970-01-01T00:00:00', NOW)).toBeUndefined()
})
