import { expect, test } from 'vitest'
import { barsOf, formatShare, toneOf } from './channel-card.tsx'

test.each([
  [1_000, 'good'],
  [990, 'good'],
  [989, 'warn'],
  [950, 'warn'],
  [949, 'bad'],
  [0, 'bad'],
  [null, 'neutral'],
] as const)('a share of %j thousandths looks %s', (answered, tone) => {
  expect(toneOf(answered)).toBe(tone)
})

test('bars follow each other in time', () => {
  expect(barsOf({ from: 3_600, step: 1_800, bars: [1_000, null], answered: 1_000 })).toEqual([
    { from: 3_600, until: 5_400, answered: 1_000, tone: 'good' },
    { from: 5_400, until: 7_200, answered: null, tone: 'neutral' },
  ])
})

test('shares have at most one decimal, and never round up to 100%', () => {
  expect([1_000, 999, 950, 0].map((share) => formatShare(share, 'en'))).toEqual(['100%', '99.9%', '95%', '0%'])
})
