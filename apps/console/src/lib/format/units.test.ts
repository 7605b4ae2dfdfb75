import { describe, expect, it, test } from 'vitest'
import { formatLatency, latencyBand, formatBytes, formatOrder, formatRatio } from './units.ts'

describe('bytes', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1.0 kB'],
    [1_549, '1.5 kB'],
    [999_949, '999.9 kB'],
    [999_950, '1.0 MB'],
    [2_000_000, '2.0 MB'],
  ])('%d bytes read %s', (bytes, shown) => {
    expect(formatBytes(bytes)).toBe(shown)
  })
})

describe('latency', () => {
  it.each([
    [0, '0 ms', 'fast'],
    [999, '999 ms', 'fast'],
    [1_000, '1.00 s', 'normal'],
    [2_999, '3.00 s', 'normal'],
    [3_000, '3.00 s', 'slow'],
    [61_250, '61.25 s', 'slow'],
  ] as const)('%d ms reads %s and is %s', (milliseconds, text, band) => {
    expect(formatLatency(milliseconds)).toBe(text)
    expect(latencyBand(milliseconds)).toBe(band)
  })
})

test('a ratio is a factor, and one that is not known a dash', () => {
  expect([0.8, 1, Number.NaN].map(formatRatio)).toEqual(['×0.8', '×1', '—'])
})

test('groups are named in the order in which they are tried', () => {
  expect(formatOrder(['vip', 'default'])).toBe('vip → default')
})
