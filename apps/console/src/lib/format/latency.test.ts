import { describe, expect, it } from 'vitest'
import { formatLatency, latencyBand } from './latency.ts'

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
