import { expect, test } from 'vitest'
import { clocksDiffer, waitOf } from './reply-times.ts'

const SENT = 'Sat, 21 Nov 2026 10:00:00 GMT'

test.each([
  ['seconds', { 'retry-after': '30' }, 30_000],
  ['parts of seconds', { 'retry-after': '0.25' }, 250],
  ['milliseconds, which go before seconds', { 'retry-after-ms': '1500', 'retry-after': '2' }, 1_500],
  ['a date against the date of the answer', { 'retry-after': 'Sat, 21 Nov 2026 10:00:07 GMT', date: SENT }, 7_000],
  ['a date that is over', { 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT', date: SENT }, 0],
  ['a date without one to measure it by', { 'retry-after': SENT }, undefined],
  ['a month', { 'retry-after': '2592000' }, 86_400_000],
  ['a negative number', { 'retry-after': '-5' }, undefined],
  ['words', { 'retry-after': 'soon', date: SENT }, undefined],
  ['nothing', {}, undefined],
])('%s', (_, headers, wait) => {
  expect(waitOf(headers)).toBe(wait)
})

const AT_NOON = 'Sun, 22 Nov 2026 12:00:00 GMT'
const NOON = Date.UTC(2026, 10, 22, 12)

test.each([
  [AT_NOON, 0, false],
  [AT_NOON, 300_000, false],
  [AT_NOON, 301_000, true],
  [AT_NOON, -3_600_000, true],
  [undefined, 3_600_000, false],
  ['yesterday', 3_600_000, false],
])('a reply of %s next to a clock that is %i ms ahead of noon: %s', (date, ahead, differ) => {
  expect(clocksDiffer(date, NOON + ahead)).toBe(differ)
})
