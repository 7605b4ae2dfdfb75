import { describe, expect, it } from 'vitest'
import { formatBytes } from './bytes.ts'

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
