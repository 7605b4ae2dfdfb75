import { describe, expect, it } from 'vitest'
import { DESKTOP_REDUCTION, fitWithin, MOBILE_REDUCTION, THUMBNAIL_SIZE } from './reduction.ts'

describe('reduction', () => {
  it('has the sizes and qualities of the specification', { tags: 'C9.10' }, () => {
    expect(DESKTOP_REDUCTION).toEqual({ width: 1_920, height: 1_080, quality: 0.8 })
    expect(MOBILE_REDUCTION).toEqual({ width: 1_200, height: 1_200, quality: 0.7 })
    expect(THUMBNAIL_SIZE).toBe(150)
  })

  it.each([
    [
      { width: 4_000, height: 3_000 },
      { width: 1_440, height: 1_080 },
    ],
    [
      { width: 3_840, height: 1_080 },
      { width: 1_920, height: 540 },
    ],
    [
      { width: 640, height: 480 },
      { width: 640, height: 480 },
    ],
    [
      { width: 100_000, height: 1 },
      { width: 1_920, height: 1 },
    ],
  ])('%o becomes %o', (size, expected) => {
    expect(fitWithin(size, DESKTOP_REDUCTION)).toEqual(expected)
  })
})
