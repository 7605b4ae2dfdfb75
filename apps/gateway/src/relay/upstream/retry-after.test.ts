import { expect, test } from 'vitest'
import { waitOf } from './retry-after.ts'

const DATE = 'Sat, 21 Nov 2026 10:00:00 GMT'

test.each([
  ['seconds', { 'retry-after': '30' }, 30_000],
  ['parts of seconds', { 'retry-after': '0.25' }, 250],
  ['milliseconds, which go before seconds', { 'retry-after-ms': '1500', 'retry-after': '2' }, 1_500],
  ['a date against the date of the answer', { 'retry-after': 'Sat, 21 Nov 2026 10:00:07 GMT', date: DATE }, 7_000],
  ['a date that is over', { 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT', date: DATE }, 0],
  ['a date without one to measure it by', { 'retry-after': DATE }, undefined],
  ['a month', { 'retry-after': '2592000' }, 86_400_000],
  ['a negative number', { 'retry-after': '-5' }, undefined],
  ['words', { 'retry-after': 'soon', date: DATE }, undefined],
  ['nothing', {}, undefined],
])('%s', (_, headers, wait) => {
  expect(waitOf(headers)).toBe(wait)
})
