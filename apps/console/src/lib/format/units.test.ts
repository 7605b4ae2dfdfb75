import { describe, expect, it } from 'vitest'
import { formatLatency, latencyBand, formatBytes } from './units.ts'

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
