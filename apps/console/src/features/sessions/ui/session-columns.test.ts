import type { UsageSession } from '@sluice/contract/routes/usage-sessions'
import { expect, test } from 'vitest'
import { cacheShare, durationText } from './session-columns.tsx'

test.each([
  [0, '0s'],
  [59, '59s'],
  [60, '1m 0s'],
  [3_599, '59m 59s'],
  [3_600, '1h 0m'],
  [86_399, '23h 59m'],
  [190_000, '2d 4h'],
  [Number.NaN, '—'],
])('%s seconds are %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text)
})

test('the share of a cache is of all input, and unknown without any', () => {
  const of = (prompt_tokens: number, cached_prompt_tokens: number) =>
    cacheShare({ prompt_tokens, cached_prompt_tokens } as UsageSession)
  expect([of(200, 150), of(10, 0), of(0, 0), of(Number.NaN, 1)]).toEqual([0.75, 0, undefined, undefined])
})
