import { expect, test } from 'vitest'
import type { CallerClaim } from './caller-claims.ts'
import { limitHeaders } from './limit-headers.ts'

const claim = (of: CallerClaim['of'], limit: number): CallerClaim => ({
  key: `${of} ${limit}`,
  rule: { limit, periodMs: 60_000 },
  cost: 1,
  of,
  words: '',
})
const allowed = (remaining: number, resetMs: number) => ({ allowed: true, remaining, resetMs, retryAfterMs: 0 })

test.each([
  [0, '0ms'],
  [20, '20ms'],
  [1_500, '1.5s'],
  [59_999, '60s'],
  [60_000, '1m0s'],
  [360_001, '6m1s'],
])('%d ms until the limit is whole again are written as %s', (resetMs, tightestLimit) => {
  expect(limitHeaders([claim('requests', 5)], [allowed(1, resetMs)], false, 0)).toEqual([
    'x-ratelimit-limit-requests',
    '5',
    'x-ratelimit-remaining-requests',
    '1',
    'x-ratelimit-reset-requests',
    tightestLimit,
  ])
})

test('of several limits the refusing one is reported, otherwise the one with least left', () => {
  const claims = [claim('requests', 100), claim('requests', 5), claim('requests', 60)]
  const tellsOf = (decisions: Parameters<typeof limitHeaders>[1]) => limitHeaders(claims, decisions, false, 0)[1]
  expect(tellsOf([allowed(99, 1), allowed(4, 1), allowed(59, 1)])).toBe('5')
  const refused = { allowed: false, remaining: 0, resetMs: 60_000, retryAfterMs: 1_000 }
  expect(tellsOf([allowed(0, 1), allowed(4, 1), refused])).toBe('60')
})

test('Anthropic’s clients get the time of the reset, to the second', () => {
  const headers = limitHeaders([claim('tokens', 9)], [allowed(3, 1_200)], true, Date.UTC(2026, 10, 21, 12))
  expect(headers.slice(6)).toEqual([
    'anthropic-ratelimit-tokens-limit',
    '9',
    'anthropic-ratelimit-tokens-remaining',
    '3',
    'anthropic-ratelimit-tokens-reset',
    '2026-11-21T12:00:02Z',
  ])
})
