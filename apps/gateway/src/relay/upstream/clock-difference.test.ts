import { expect, test } from 'vitest'
import { clocksDiffer } from './clock-difference.ts'

const DATE = 'Sun, 22 Nov 2026 12:00:00 GMT'
const NOON = Date.UTC(2026, 10, 22, 12)

test.each([
  [DATE, 0, false],
  [DATE, 300_000, false],
  [DATE, 301_000, true],
  [DATE, -3_600_000, true],
  [undefined, 3_600_000, false],
  ['yesterday', 3_600_000, false],
])('a reply of %s next to a clock that is %i ms ahead of noon: %s', (date, ahead, differ) => {
  expect(clocksDiffer(date, NOON + ahead)).toBe(differ)
})
